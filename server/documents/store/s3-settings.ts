export type S3Settings = {
  /** Scheme, host and port: `https://s3.example:9000`. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** Prefix of each key, without slashes at either end; may be empty. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** Characters that need no URL escaping, so that every server computes the same signature. */
const PREFIX_PART = /^[\w-][\w.-]{0,99}$/
const REGION = /^[a-z0-9-]{1,40}$/

/**
 * Parses `s3://bucket/prefix?endpoint=https://host:port&region=…`. The endpoint defaults to AWS in that region, the
 * region to `us-east-1`, which MinIO and Ceph accept. Throws an `Error` that explains the mistake but never repeats the
 * URL, which may contain a secret.
 */
export function parseDocumentStoreUrl(text: string): Omit<S3Settings, 'accessKeyId' | 'secretAccessKey'> {
  if (!text.startsWith('s3://') || !URL.canParse(text)) throw new Error('must look like s3://bucket/prefix?endpoint=…')
  const { host, username, password, pathname, searchParams, hash } = new URL(text)
  if (username !== '' || password !== '')
    throw new Error('must not contain credentials: set DOCUMENTS_ACCESS_KEY_ID and DOCUMENTS_SECRET_ACCESS_KEY')
  for (const name of searchParams.keys())
    if (name !== 'endpoint' && name !== 'region')
      throw new Error('supports only the parameters endpoint and region after the ?')
  if (hash !== '') throw new Error('must not contain a #')
  if (!BUCKET.test(host)) throw new Error('must name a bucket: 3 to 63 lower-case letters, digits, dots and hyphens')
  const parts = pathname.split('/').filter((part) => part !== '')
  if (!parts.every((part) => PREFIX_PART.test(part)))
    throw new Error('has a prefix with characters other than letters, digits, dots, hyphens and underscores')
  const region = searchParams.get('region') ?? 'us-east-1'
  if (!REGION.test(region)) throw new Error('has an invalid region: use 1 to 40 lower-case letters, digits and hyphens')
  const endpoint = searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`
  if (!isOrigin(endpoint))
    throw new Error('has an invalid endpoint: use an address such as https://host:9000, without a path')
  if (!isSafeEndpoint(new URL(endpoint)))
    throw new Error(
      'has an endpoint with http://, which is allowed only for this machine, a private network or a name without dots',
    )
  return { endpoint: new URL(endpoint).origin, region, bucket: host, prefix: parts.join('/') }
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, pathname, search, hash, username, password } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && pathname === '/' && `${search}${hash}${username}${password}` === ''
}

/** Accepts HTTPS; plain HTTP only on this machine or a private network. */
function isSafeEndpoint({ protocol, hostname }: URL): boolean {
  const isPrivate = /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]{1,12}$/.test(hostname)
  return protocol === 'https:' || isPrivate || hostname === '[::1]' || !/[.:]/.test(hostname)
}
