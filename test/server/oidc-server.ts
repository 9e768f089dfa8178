import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'

export const OIDC_CLIENT = { clientId: 'tamngan', clientSecret: 'a secret between us and the provider' }

type Claims = Record<string, unknown>
/**
 * What happens to a request to the provider, by its path. `pass`: a normal response; `drip`: an endless response, one
 * byte at a time.
 */
type OidcFault = 'pass' | 'hang' | 'drip' | 'cut' | 'error' | 'garbage' | 'redirect'

export type OidcServer = {
  /** URL of the issuer, or its prefix before the tenant. */
  readonly url: string
  /** Accounts by login hint: `sub` and all other claims. */
  readonly people: Map<string, Claims>
  readonly faults: Map<string, OidcFault>
  /** Changes the claims of the ID token, which is then signed again, with the provider's key or with an unknown one. */
  lie: ((claims: Claims) => Claims) | undefined
  signsWithOtherKey: boolean
  /** Received requests, such as `POST /token`. */
  readonly requests: string[]
  /**
   * Follows redirects like a browser from an address until the provider returns to the product, and returns the query
   * parameters of that return.
   */
  follow(address: string): Promise<URLSearchParams>
  close(): Promise<void>
}

const HOME = 'http://localhost:4173'

/**
 * Starts a real OpenID provider (`oidc-provider`) on this machine, behind a proxy that injects faults and false claims.
 * `path`: the issuer's path, such as `/tenant/v2.0`. `alias`: another name of the tenant, such as its domain, that
 * returns the same discovery document, as with Microsoft. `home`: the product's base URL.
 */
export async function startOidcServer({ path = '', alias = '', home = HOME } = {}): Promise<OidcServer> {
  const keys = await generateKeyPair('RS256', { extractable: true })
  const strangers = await generateKeyPair('RS256', { extractable: true })
  const jwk: JWK = { ...(await exportJWK(keys.privateKey)), kid: 'ours', alg: 'RS256', use: 'sig' }
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const server: Server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(
    `${url}${path}`,
    configuration(home, jwk, (sub) => [...state.people.values()].find((claims) => claims.sub === sub)),
  )
  provider.on('server_error', (_context, error) => console.error(error))
  const answer = provider.callback()
  const state = {
    url,
    people: new Map<string, Claims>(),
    faults: new Map<string, OidcFault>(),
    lie: undefined as OidcServer['lie'],
    signsWithOtherKey: false,
    requests: [] as string[],
    async follow(address: string) {
      const cookies = new Map<string, string>()
      let next = new URL(address)
      for (let steps = 0; steps < 10; steps += 1) {
        if (next.href.startsWith(home)) return next.searchParams
        const got = await fetch(next, {
          redirect: 'manual',
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        })
        for (const line of got.headers.getSetCookie()) {
          const [name, value] = line.split(';')[0]!.split('=') as [string, string]
          cookies.set(name, value)
        }
        const location = got.headers.get('location')
        if (location === null) throw new Error(`the provider stays: ${got.status} ${await got.text()}`)
        next = new URL(location, next)
      }
      throw new Error('the provider leads in circles')
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  } satisfies OidcServer

  async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params, prompt, grantId, session } = await provider.interactionDetails(request, response)
    const claims = state.people.get(String(params.login_hint))
    const accountId = session?.accountId ?? String(claims?.sub)
    if (prompt.name === 'login') {
      const result = claims ? { login: { accountId } } : { error: 'access_denied' }
      return provider.interactionFinished(request, response, result)
    }
    const grant =
      (grantId === undefined ? undefined : await provider.Grant.find(grantId)) ??
      new provider.Grant({ accountId, clientId: OIDC_CLIENT.clientId })
    grant.addOIDCScope('openid email profile')
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }

  handle = (request, response) => {
    const url = request.url ?? '/'
    state.requests.push(`${request.method} ${url.split('?')[0]}`)
    const fault = [...state.faults].find(([part]) => url.includes(part))?.[1] ?? 'pass'
    if (fault !== 'pass') return fail(fault, request, response)
    if (alias !== '' && url.startsWith(alias)) request.url = path + url.slice(alias.length)
    if (request.url!.startsWith(path)) request.url = request.url!.slice(path.length) || '/'
    if (request.url!.startsWith('/interaction/')) return void signIn(request, response)
    if (request.url!.startsWith('/token')) rewriteTokens(response)
    Object.assign(request, { originalUrl: path + request.url, baseUrl: path })
    void answer(request, response)
  }

  function rewriteTokens(response: ServerResponse): void {
    if (state.lie === undefined && !state.signsWithOtherKey) return
    const end = response.end.bind(response)
    response.end = ((chunk: unknown) => {
      void (async () => {
        const body = JSON.parse(String(chunk)) as { id_token?: string }
        if (body.id_token !== undefined) {
          const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1]!, 'base64url').toString()) as Claims
          body.id_token = await new SignJWT(state.lie?.(claims) ?? claims)
            .setProtectedHeader({ alg: 'RS256', kid: 'ours' })
            .sign((state.signsWithOtherKey ? strangers : keys).privateKey)
        }
        const text = JSON.stringify(body)
        response.setHeader('content-length', Buffer.byteLength(text))
        end(text)
      })()
      return response
    }) as typeof response.end
  }
  return state
}

function fail(fault: Exclude<OidcFault, 'pass'>, request: IncomingMessage, response: ServerResponse): void {
  if (fault === 'hang') return
  if (fault === 'drip') return void drip(response)
  if (fault === 'cut') return void request.socket.destroy()
  if (fault === 'error') return void response.writeHead(503).end('away')
  if (fault === 'redirect') return void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"issuer": not json')
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 300)
  response.on('close', () => clearInterval(timer))
}

const configuration = (home: string, jwk: JWK, personOf: (sub: string) => Claims | undefined): Configuration => ({
  clients: [
    {
      client_id: OIDC_CLIENT.clientId,
      client_secret: OIDC_CLIENT.clientSecret,
      redirect_uris: [`${home}/organisation-login`],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  jwks: { keys: [jwk] } as never,
  cookies: { keys: ['a key of the cookies of a provider of the tests'] },
  // The provider puts the claims of the scope into the ID token, like Google and Microsoft.
  conformIdTokenClaims: false,
  claims: {
    openid: ['sub', 'hd', 'tid', 'oid', 'acct', 'xms_edov'],
    email: ['email', 'email_verified'],
    profile: ['given_name', 'family_name', 'preferred_username'],
  },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
  pkce: { required: () => true },
  findAccount: (_context, sub) => {
    const claims = personOf(sub)
    return claims && { accountId: sub, claims: async () => claims as { sub: string } }
  },
})
