// What the doctor goes by: facts, as they were found at one moment. Nothing in here is a token, or what one says.

import type { SeenApp } from '../config/seen-apps.js';
import type { FileFault } from '../config/yaml-file.js';
import type { HarnessLook } from '../setup/index.js';

export interface Facts {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The version of Node that runs this, without a `v`. */
  readonly node: string;
  /** The version of this Leo. */
  readonly leo: string;
  /** The user's own, of the system. */
  readonly userHome: string;
  readonly folders: readonly FolderFacts[];
  /** What lies in the home, or in state/, and belongs to another user. */
  readonly foreign: readonly string[];
  /** Left on the disk of the home; null where it cannot be told. */
  readonly freeBytes: number | null;
  readonly config: ConfigFacts;
  readonly daemon: DaemonFacts;
  /** Null where none is installed. */
  readonly service: ServiceFacts | null;
  /** `web.port`; null where leo.yaml takes a free one. */
  readonly port: PortFacts | null;
  readonly tokens: TokenFacts;
  readonly tmux: TmuxFacts;
  /** What installs tmux here; null where it is not known. */
  readonly installTmux: string | null;
  readonly harnesses: readonly HarnessLook[];
  /** What is wrong with LEO_HOME/harnesscaps.json. */
  readonly harnessCapsFault: string | null;
  readonly seenApps: readonly SeenApp[];
}

/** One of the folders that are the user's alone. */
export interface FolderFacts {
  readonly path: string;
  /** `state`: the daemon closes it to others by itself. */
  readonly role: 'home' | 'state' | 'socket';
  readonly found: 'missing' | 'folder' | 'other';
  /** Its permissions, as in 0o700. */
  readonly mode: number;
  readonly mine: boolean;
}

export interface ConfigFacts {
  readonly path: string;
  readonly exists: boolean;
  readonly errors: readonly FileFault[];
  /** Why it cannot be read; null where it can. */
  readonly unreadable: string | null;
  readonly warnings: readonly FileFault[];
  /** Its permissions; null where there is no file. */
  readonly mode: number | null;
  /** Which state of the file this is (file-stamp.ts). */
  readonly stamp: string;
  /** How many templates it has; 0 where it cannot be used. */
  readonly templates: number;
  /** Whether a gateway may start the daemon. */
  readonly autostart: boolean;
}

/** What came of asking at an address: `/health`, that is. */
export type Answer =
  | { readonly kind: 'leo'; readonly version: string; readonly uptimeS: number }
  /** Something else answers, or not as Leo does. */
  | { readonly kind: 'other'; readonly why: string }
  /** Nobody listens. */
  | { readonly kind: 'refused' }
  /** Somebody listens, and says nothing. */
  | { readonly kind: 'silent' }
  /** It is another user's. */
  | { readonly kind: 'denied' };

export type SocketState = 'none' | 'stale' | 'alive' | 'no socket';

export interface DaemonFacts {
  /** The path that is dialled. */
  readonly socket: string;
  readonly state: SocketState;
  /** The socket's permissions; null where there is none. */
  readonly mode: number | null;
  readonly answer: Answer;
  /** How long `state/leo.sock` would be, in bytes, and how long a socket's path may be. */
  readonly plainBytes: number;
  readonly maxBytes: number;
  /** Other sockets of this home at which somebody listens. */
  readonly others: readonly string[];
  /** What daemon.json says. */
  readonly file: DaemonFileFacts | null;
  /** Whether a service is installed that starts it. */
  readonly serviceInstalled: boolean;
  /** The running agents, with the versions of Leo of their gateways; null where the daemon was not asked. */
  readonly agents: readonly { readonly name: string; readonly versions: readonly string[] }[] | null;
  /** The groups of tools that apps offer now; null where the daemon was not asked. */
  readonly groups: readonly { readonly group: string; readonly connected: boolean }[] | null;
}

export interface DaemonFileFacts {
  readonly pid: number;
  /** Whether there is a process of this number. */
  readonly runs: boolean;
  /** Whether that process was stopped by a signal; null where it cannot be told. */
  readonly stopped: boolean | null;
  readonly version: string;
  readonly http: string;
  /** What came of asking there. */
  readonly answer: Answer;
  /** Whether launchd or systemd runs it. */
  readonly service: boolean;
  /** Of the leo.yaml that it goes by; null where it does not say. */
  readonly configStamp: string | null;
}

export interface ServiceFacts {
  readonly manager: 'systemd' | 'launchd';
  readonly name: string;
  /** What it starts that is not there any more; null where all is. */
  readonly gone: string | null;
  /** The Leo that it starts, and whether that is this one. */
  readonly leo: string;
  readonly isThis: boolean;
  /** tmux and harnesses that are found here, and not on its PATH. */
  readonly unseen: readonly string[];
  /** Whether it outlives the user's last logout; null under launchd. */
  readonly lingers: boolean | null;
  /** Whether this was asked over ssh, whose end may be that logout. */
  readonly remote: boolean;
}

export interface PortFacts {
  readonly port: number;
  readonly answer: Answer;
}

export interface TokenFacts {
  readonly files: readonly TokenFileFacts[];
  /** Clients in leo.yaml; null where it cannot be read. */
  readonly clients: readonly string[] | null;
}

export interface TokenFileFacts {
  readonly path: string;
  readonly role: 'operator' | 'agent' | 'client' | 'device';
  /** The client's or the device's; else the role. */
  readonly name: string;
  readonly state:
    | { readonly kind: 'good' }
    | { readonly kind: 'missing' }
    | { readonly kind: 'bad'; readonly why: string; readonly mend: string | null }
    /** Holds the token of another file. */
    | { readonly kind: 'copy'; readonly of: string };
}

export type TmuxFacts =
  | { readonly kind: 'missing' }
  | { readonly kind: 'silent'; readonly path: string }
  /** `enough`: whether it is new enough; null where it names no number. */
  | {
      readonly kind: 'found';
      readonly path: string;
      readonly version: string;
      readonly enough: boolean | null;
    };
