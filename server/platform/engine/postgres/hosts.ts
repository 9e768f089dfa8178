export type Hosts = {
  /** One URL per host, in the given order; everything after the host is identical. */
  readonly urls: readonly string[]
  /**
   * Use only a server that accepts writes (`target_session_attrs=read-write`); which one that is can change at any
   * time.
   */
  readonly readWrite: boolean
}

const PROTOCOLS = ['postgres://', 'postgresql://']

/**
 * Returns undefined for anything but a PostgreSQL URL. Parsed by hand: an equivalent regular expression took quadratic
 * time on long input.
 */
function partsOf(url: string) {
  const protocol = PROTOCOLS.find((one) => url.startsWith(one))
  if (protocol === undefined) return undefined
  const rest = url.slice(protocol.length)
  const end = /[/?#]/.exec(rest)?.index ?? rest.length
  const [who, tail] = [rest.slice(0, end), rest.slice(end)]
  const userEnd = who.lastIndexOf('@') + 1
  const queryAt = tail.includes('?') ? tail.indexOf('?') : tail.length
  const path = tail.slice(0, queryAt)
  if (path.includes('#')) return undefined
  return { protocol, user: who.slice(0, userEnd), hosts: who.slice(userEnd), path, query: tail.slice(queryAt) }
}

/**
 * Parses a URL as libpq does, with several hosts separated by commas:
 * `postgres://user@a:5432,b:5433/db?target_session_attrs=read-write`. node-postgres supports neither. Throws the reason
 * without repeating the URL, which may contain a password.
 */
export function readHosts(url: string): Hosts {
  const parts = partsOf(url)
  if (parts === undefined) throw new Error('must begin with postgres://')
  const { protocol, user, hosts, path, query } = parts
  const names = hosts.split(',')
  if (names.some((name) => names.length > 1 && name === '')) throw new Error('names an empty host between two commas')
  const parameters = new URLSearchParams(query)
  const wanted = parameters.get('target_session_attrs')
  if (wanted !== null && wanted !== 'any' && wanted !== 'read-write' && wanted !== 'primary')
    throw new Error('target_session_attrs may be read-write: replicas stand in DATABASE_REPLICA_URL')
  const readWrite = wanted === 'read-write' || wanted === 'primary'
  if (names.length > 1 && !readWrite)
    throw new Error(
      'names several hosts: add target_session_attrs=read-write, so that the one that takes writes is meant',
    )
  // Removes only this parameter: re-encoding the query could change the meaning of other characters.
  const rest = query.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, before: string, after: string) =>
    after === '&' ? before : '',
  )
  const urls = names.map((name) => `${protocol}${user}${name}${path}${rest}`)
  if (names.length > 1 && !urls.every((each) => URL.canParse(each))) throw new Error('names a host that cannot be read')
  return { urls, readWrite }
}
