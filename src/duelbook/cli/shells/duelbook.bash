# What bash offers when Tab is pressed behind `duelbook`. Printed by: duelbook completion bash
_duelbook_completion() {
    local kind value rest
    COMPREPLY=()
    while IFS=$'\t' read -r kind value rest; do
        if [[ $kind == file ]]; then
            compopt -o default
        else
            COMPREPLY+=("$value")
            [[ $value == *[:=] ]] && compopt -o nospace
        fi
    done < <("$1" completion --for "${COMP_LINE:0:COMP_POINT}" --breaks "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -F _duelbook_completion duelbook
