# What fish offers when Tab is pressed behind `duelbook`. Printed by: duelbook completion fish
function _duelbook_completion
    for row in (duelbook completion --for (commandline -cp | string collect) 2>/dev/null)
        set -l parts (string split --max 2 \t -- $row)
        if test $parts[1] = file
            __fish_complete_path (commandline -ct)
        else
            printf '%s\t%s\n' $parts[2] $parts[3]
        end
    end
end
complete --command duelbook --no-files --arguments '(_duelbook_completion)'
