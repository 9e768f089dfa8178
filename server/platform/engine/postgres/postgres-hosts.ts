export type PostgresHosts = {
  readonly urls: readonly string[]
  /**
   * If true, use only a server that accepts writes (`target_session_attrs=read-write`). Which server that is can change
   * at any time.
   */
  readonly readWrite: boolean
}

const PROTOCOLS = ['postgres://', 'postgresql://']

/**
 * Returns undefined for anything but a PostgreSQL URL. Parsed by hand: an equivalent regular expression took quadratic
 * time on long input.
 */
function splitUrl(url: string) {
  const protocol = PROTOCOLS.find((prefix) => url.startsWith(prefix))
  if (protocol === undefined) return undefined
  const remainder = url.slice(protocol.length)
  const end = /[/?#]/.exec(remainder)?.index ?? remainder.length
  const [authority, tail] = [remainder.slice(0, end), remainder.slice(end)]
  const userEnd = authority.lastIndexOf('@') + 1
  const queryAt = tail.includes('?') ? tail.indexOf('?') : tail.length
  const path = tail.slice(0, queryAt)
  if (path.includes('#')) return undefined
  return {
    protocol,
    user: authority.slice(0, userEnd),
    hosts: authority.slice(userEnd),
    path,
    query: tail.slice(queryAt),
  }
}

/**
 * Parses a URL as libpq does, with several hosts separated by commas:
 * `postgres://user@a:5432,b:5433/db?target_session_attrs=read-write`. node-postgres supports neither several hosts nor
 * that parameter. Throws the reason without repeating the URL, which may contain a password.
 */
export function parsePostgresHosts(url: string): PostgresHosts {
  const parts = splitUrl(url)
  if (parts === undefined) throw new Error('must begin with postgres://')
  const { protocol, user, hosts, path, query } = parts
  const names = hosts.split(',')
  if (names.some((name) => names.length > 1 && name === ''))
    throw new Error('contains an empty host between two commas')
  const parameters = new URLSearchParams(query)
  const targetAttrs = parameters.get('target_session_attrs')
  if (targetAttrs !== null && targetAttrs !== 'any' && targetAttrs !== 'read-write' && targetAttrs !== 'primary')
    throw new Error('target_session_attrs must be read-write: list replicas in DATABASE_REPLICA_URL')
  const readWrite = targetAttrs === 'read-write' || targetAttrs === 'primary'
  if (names.length > 1 && !readWrite)
    throw new Error('lists several hosts: add target_session_attrs=read-write to select the one that accepts writes')
  // Removes only `target_session_attrs`: re-encoding the whole query string could change other parameters.
  const remainingQuery = query.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, before: string, after: string) =>
    after === '&' ? before : '',
  )
  const urls = names.map((name) => `${protocol}${user}${name}${path}${remainingQuery}`)
  if (names.length > 1 && !urls.every((hostUrl) => URL.canParse(hostUrl)))
    throw new Error('contains a host that cannot be parsed')
  return { urls, readWrite }
}
