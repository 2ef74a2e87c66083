// Ids that must not be taken for one another. A brand costs nothing at run time; the one cast of each stands
// here, at the border where a checked text becomes an id.

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** A connected app: lives as long as its provider stream, or as its `client_key` is kept (design 5). */
export type ClientId = Branded<'ClientId'>;
/** One call of one agent. The gateway makes it, and it outlives a restart of the broker (design 7). */
export type RequestId = Branded<'RequestId'>;
/** One gateway process, over all of its connections to any broker (design 2). */
export type SessionId = Branded<'SessionId'>;

export const clientId = (text: string): ClientId => text as ClientId;
export const requestId = (text: string): RequestId => text as RequestId;
export const sessionId = (text: string): SessionId => text as SessionId;

/** The form of a request id, checked where a gateway or an app names one. */
export const requestIdPattern = '^r_[A-Za-z0-9_-]{8,64}$';
/** The form of a session id. */
export const sessionIdPattern = '^s_[A-Za-z0-9_-]{8,64}$';
/** The form of a client id. */
export const clientIdPattern = '^c_[A-Za-z0-9_-]{8,64}$';
