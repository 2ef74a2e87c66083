// A `call` of the link (lib/wire/link.ts) as the core parks it. Pure.

import { clientId, type RequestId, type SessionId } from '../../wire/ids.js';
import type { WireCall } from '../../wire/link.js';
import { maxTimeoutS } from '../../wire/tool.js';
import type { ParkRequest } from '../core/broker-core.js';

/** What the core is asked for a call that is new, or that a gateway brings again after a restart (design 7). */
export function parkRequest(
  session: SessionId,
  id: RequestId,
  { tool, arguments: args, resume }: WireCall,
): ParkRequest {
  if (resume === undefined) return { session, id, tool, arguments: args };
  return {
    session,
    id,
    tool,
    arguments: args,
    resume: {
      provider: clientId(resume.provider),
      keyed: resume.keyed,
      group: resume.group,
      claimedBy: resume.claimed_by === null ? undefined : clientId(resume.claimed_by),
      // No call has more time than a registration can give it, whatever a gateway's clock has done.
      remainingMs:
        resume.remaining_ms === null ? undefined : Math.min(resume.remaining_ms, maxTimeoutS * 1000),
      // An older gateway does not say.
      ageMs: resume.age_ms ?? 0,
    },
  };
}
