// The completion of bash, from 3.2 on, which macOS has. Pure.
//
// Names of agents are other people's text: they are never given to `compgen -W`, which would run what is in them.

import type { Lookups, Row } from './lookup.js';

export function bashCompletion({ commands, options, takes }: Lookups): string {
  return `# Completion of leo for bash. Switch it on: source <(leo completion bash)
# On macOS's own bash: eval "$(leo completion bash)"

_leo_commands() {
  case "$1" in
${commands.map(listed).join('\n')}
  esac
}

_leo_options() {
  case "$1" in
${options.map(listed).join('\n')}
  esac
}

_leo_takes() {
  case "$1" in
${takes.map(listed).join('\n')}
  esac
}

# Offers those lines of stdin that begin with $1.
_leo_offer() {
  local line
  while IFS= read -r line; do
    if [[ -n $line && $line == "$1"* ]]; then COMPREPLY+=("$(printf '%q' "$line")"); fi
  done
}

_leo() {
  local IFS=$' \\t\\n' current="\${COMP_WORDS[COMP_CWORD]}" where='' option='' plain='' position=0
  local word at takes='' program="\${COMP_WORDS[0]}"
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    if [[ $word == '=' ]]; then continue; fi
    if [[ -n $option ]]; then option=''; continue; fi
    if [[ -z $plain && $word == -- ]]; then plain=1; continue; fi
    if [[ -z $plain && $word == -* ]]; then
      if [[ -n $(_leo_takes "\${where:+$where }$word") ]]; then option="$word"; fi
      continue
    fi
    if [[ $position == 0 && $'\\n'"$(_leo_commands "$where")"$'\\n' == *$'\\n'"$word"$'\\n'* ]]; then
      where="\${where:+$where }$word"
    else
      position=$((position + 1))
    fi
  done
  if [[ $current == '=' ]]; then current=''; fi
  if [[ -n $option ]]; then
    takes="$(_leo_takes "\${where:+$where }$option")"
  elif [[ -z $plain && $current == -* ]]; then
    _leo_offer "$current" <<<"$(_leo_options "$where")"
    return
  else
    if [[ $position == 0 ]]; then _leo_offer "$current" <<<"$(_leo_commands "$where")"; fi
    takes="$(_leo_takes "\${where:+$where }$((position + 1))")"
  fi
  case "$takes" in
    'words '*) _leo_offer "$current" <<<"$(printf '%s\\n' \${takes#words })" ;;
    'names '*) _leo_offer "$current" <<<"$("\${program/#\\~/$HOME}" completion names "\${takes#names }" 2>/dev/null)" ;;
    files | folders)
      if type compopt >/dev/null 2>&1; then compopt -o filenames 2>/dev/null; fi
      at=-f
      if [[ $takes == folders ]]; then at=-d; fi
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$at" -- "$current")
      ;;
  esac
}

complete -F _leo leo
`;
}

function listed({ key, open, lines }: Row): string {
  const words = lines.map(([word]) => quoted(word)).join(' ');
  return `    ${quoted(key)}${open === true ? '*' : ''}) printf '%s\\n' ${words} ;;`;
}

/** A text in single quotes, as bash and zsh take it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
