// What can fall due.

import type { ClientId, RequestId } from '../../wire/ids.js';

export type Due =
  | { readonly type: 'call'; readonly id: RequestId }
  | { readonly type: 'client'; readonly id: ClientId };
