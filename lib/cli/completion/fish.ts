// The completion of fish, from 3.0 on. Pure.

import type { Lookups, Row } from './lookup.js';

export function fishCompletion({ commands, options, takes }: Lookups): string {
  return `# Completion of leo for fish. Switch it on: leo completion fish | source

function __leo_commands
    switch "$argv[1]"
${commands.map(described).join('\n')}
    end
end

function __leo_options
    switch "$argv[1]"
${options.map(described).join('\n')}
    end
end

function __leo_takes
    switch "$argv[1]"
${takes.map(described).join('\n')}
    end
end

function __leo_values
    set -l values (string split ' ' -- $argv)
    set -l kind $values[1]
    set -e values[1]
    switch "$kind"
        case words
            printf '%s\\n' $values
        case names
            set -l program (commandline -opc)[1]
            eval (string escape -- (string replace -r '^~' $HOME -- $program)) completion names $values[1] 2>/dev/null
        case files
            __fish_complete_path (string replace -r '^--[^=]*=' '' -- (commandline -ct))
        case folders
            __fish_complete_directories (string replace -r '^--[^=]*=' '' -- (commandline -ct))
    end
end

function __leo_complete
    set -l done (commandline -opc)
    set -l current (commandline -ct)
    set -e done[1]
    set -l where
    set -l option
    set -l plain
    set -l position 0
    for word in $done
        if set -q option[1]
            set -e option
            set -l option
            continue
        end
        if not set -q plain[1]
            if test "$word" = --
                set plain 1
                continue
            end
            if string match -q -- '-*' $word
                set -l taken (__leo_takes (string join ' ' -- $where $word))
                if set -q taken[1]
                    set option $word
                end
                continue
            end
        end
        set -l below (__leo_commands (string join ' ' -- $where) | string replace -r '\\t.*' '')
        if test $position -eq 0; and contains -- $word $below
            set where $where $word
        else
            set position (math $position + 1)
        end
    end
    if set -q option[1]
        __leo_values (__leo_takes (string join ' ' -- $where $option))
        return
    end
    if not set -q plain[1]; and string match -q -- '-*' $current
        if string match -q -- '--*=*' $current
            set -l name (string replace -r '=.*' '' -- $current)
            for value in (__leo_values (__leo_takes (string join ' ' -- $where $name)))
                printf '%s=%s\\n' $name $value
            end
        else
            __leo_options (string join ' ' -- $where)
        end
        return
    end
    if test $position -eq 0
        __leo_commands (string join ' ' -- $where)
    end
    __leo_values (__leo_takes (string join ' ' -- $where (math $position + 1)))
end

complete -c leo -e
complete -c leo -f -a '(__leo_complete)'
`;
}

function described({ key, open, lines }: Row): string {
  const printed = lines.map(([word, description]) =>
    description === ''
      ? `            printf '%s\\n' ${quoted(word)}`
      : `            printf '%s\\t%s\\n' ${quoted(word)} ${quoted(description)}`,
  );
  return [`        case ${quoted(open === true ? `${key}*` : key)}`, ...printed].join('\n');
}

/** A text in single quotes, as fish takes it. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
