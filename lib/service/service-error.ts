// Why a service cannot be installed, started or asked after, in words that name the mend.

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
}
