// A file or folder of a LEO_HOME that is not as it must be, in words that name the command which mends it.

export class PlaceError extends Error {
  override readonly name = 'PlaceError';
}
