// What is said to a person: the lines of the log, ages, the title. Pure.

import type { Agent, CallName, LogLine } from './facts.js';

/** How long ago, in the two largest units: `4 s`, `3 min`, `2 h 5 min`, `3 d 4 h`. */
export function age(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  if (s < 60) return `${s} s`;
  const min = Math.floor(s / 60);
  if (min < 60) return min < 10 && s % 60 > 0 ? `${min} min ${s % 60} s` : `${min} min`;
  const h = Math.floor(min / 60);
  if (h < 24) return min % 60 > 0 ? `${h} h ${min % 60} min` : `${h} h`;
  const d = Math.floor(h / 24);
  return h % 24 > 0 ? `${d} d ${h % 24} h` : `${d} d`;
}

/** The title of the tab. */
export function title(questions: number): string {
  return questions === 0 ? 'Leo' : `(${questions}) Leo`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** How an agent is shown app tools, for people. */
export function modeWords(agent: Agent): string {
  if (agent.mode === 'native') return 'native tools';
  if (agent.mode === 'fallback') return 'through leo_app_call';
  return 'no session';
}

/** A line of the log in words. A call that is not known is named by the end of its id. */
export function lineWords({ event, call }: Pick<LogLine, 'event' | 'call'>): string {
  switch (event.type) {
    case 'connected':
      return `connected to Leo ${event.version}`;
    case 'lost':
      return 'the connection to Leo was lost';
    case 'request': {
      const { id, agent, tool } = event.call;
      return agent === '' ? `${callWords(id, call)} waits` : `${agent} calls ${tool}`;
    }
    case 'claimed':
      return `${callWords(event.id, call)} was taken by an app`;
    case 'cancelled':
      return `${callWords(event.id, call)} was ended${event.reason === undefined ? '' : `: ${event.reason}`}`;
    case 'settled':
      return `${callWords(event.id, call)} is done: ${event.outcome}`;
    case 'tools':
      return `apps offer ${counted(event.names.length, 'tool')} now`;
    case 'started':
      return `${event.name} is here${event.harness === undefined ? '' : `, in ${event.harness}`}`;
    case 'stopped':
      return `${event.name} has left`;
    case 'message':
      return `message from ${event.from} to ${event.name}: ${event.submitted === true ? 'submitted' : 'not confirmed'}`;
    case 'other':
      return event.name;
  }
}

function callWords(id: string, call: CallName | undefined): string {
  return call === undefined ? `call ${shortId(id)}` : `${call.tool} for ${call.agent}`;
}

export function shortId(id: string): string {
  return id.length <= 8 ? id : `…${id.slice(-6)}`;
}

/** A time of day as a log has it. */
export function clock(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
