// The completion of zsh: sourced, or as the file _leo in a folder of $fpath. Pure.

import { quoted } from './bash.js';
import type { Lookups, Row } from './lookup.js';

export function zshCompletion({ commands, options, takes }: Lookups): string {
  return `#compdef leo
# Completion of leo for zsh. Switch it on, after compinit: source <(leo completion zsh)

_leo_commands() {
  case "$1" in
${commands.map(described).join('\n')}
  esac
}

_leo_options() {
  case "$1" in
${options.map(described).join('\n')}
  esac
}

_leo_takes() {
  case "$1" in
${takes.map(described).join('\n')}
  esac
}

_leo() {
  local current="\${words[CURRENT]}" where='' option='' plain='' takes='' word
  local -i position=0 at
  local -a lines
  for ((at = 2; at < CURRENT; at++)); do
    word="\${(Q)words[at]}"
    if [[ -n $option ]]; then option=''; continue; fi
    if [[ -z $plain && $word == -- ]]; then plain=1; continue; fi
    if [[ -z $plain && $word == -* ]]; then
      if [[ -n "$(_leo_takes "\${where:+$where }$word")" ]]; then option="$word"; fi
      continue
    fi
    lines=(\${(f)"$(_leo_commands "$where")"})
    if ((position == 0)) && ((\${lines[(I)\${word}:*]})); then
      where="\${where:+$where }$word"
    else
      position+=1
    fi
  done
  if [[ -z $plain && -z $option && $current == --*=* ]]; then
    option="\${current%%=*}"
    compset -P '*='
  fi
  if [[ -n $option ]]; then
    takes="$(_leo_takes "\${where:+$where }$option")"
  elif [[ -z $plain && $current == -* ]]; then
    lines=(\${(f)"$(_leo_options "$where")"})
    _describe -o option lines
    return
  else
    if ((position == 0)); then
      lines=(\${(f)"$(_leo_commands "$where")"})
      if ((\${#lines})); then _describe -t commands command lines; fi
    fi
    takes="$(_leo_takes "\${where:+$where }$((position + 1))")"
  fi
  case "$takes" in
    'words '*) lines=(\${=takes#words }); compadd -- $lines ;;
    'names '*) lines=(\${(f)"$(\${(Q)\${~words[1]}} completion names "\${takes#names }" 2>/dev/null)"}); compadd -- $lines ;;
    files) _files ;;
    folders) _files -/ ;;
  esac
}

# As a file of $fpath it is run to complete; sourced, it only says that it can.
if [[ "\${funcstack[1]}" == _leo ]]; then
  _leo "$@"
else
  compdef _leo leo
fi
`;
}

function described({ key, open, lines }: Row): string {
  const words = lines.map(([word, description]) =>
    quoted(description === '' ? word : `${word}:${description}`),
  );
  return `    ${quoted(key)}${open === true ? '*' : ''}) printf '%s\\n' ${words.join(' ')} ;;`;
}
