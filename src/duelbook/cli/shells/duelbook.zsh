#compdef duelbook
# What zsh offers when Tab is pressed behind `duelbook`. Printed by: duelbook completion zsh
_duelbook() {
    local kind value about
    local -a whole whole_shown begun files
    while IFS=$'\t' read -r kind value about; do
        if [[ $kind == file ]]; then
            files=(yes)
        elif [[ $value == *[:=] ]]; then
            begun+=("$value")
        else
            whole+=("$value")
            whole_shown+=("$value${about:+  -- $about}")
        fi
    done < <("${words[1]}" completion --for "${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)
    (( $#whole )) && compadd -l -d whole_shown -a whole
    (( $#begun )) && compadd -S '' -a begun
    (( $#files )) && _files
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _duelbook "$@"
else
    compdef _duelbook duelbook
fi
