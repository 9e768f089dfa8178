import { createECDH, createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { generateApiKeyText } from '#server/channels/api-key/api-key-text.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { hashSecret } from '#server/platform/route/secret-token.ts'
import { ACTORS, type Actor, AUDIENCES } from '../../test/authorisation-matrix/audiences.ts'
import { MATRIX } from '../../test/authorisation-matrix/matrix.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { appOn, decodeClaims, enterDemo, signIn, TEST_DOMAIN_TOKEN } from '../../test/server/http-app.ts'
import { putBudget } from '../../test/world/budget-world.ts'
import { addLoad, putProjects } from '../../test/world/report-world.ts'

type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

const ACCOUNTS: ReadonlyMap<Actor, string> = new Map([
  ['disabled', 'gone@tharamek.example'],
  ['closed', 'gone@closed.example'],
  ['budgetOnly', 'research@fahkhram.example'],
  ['noFlags', 'shop@ruamchai.example'],
  ['notReady', 'trial@wetchapim.example'],
  ['memberA', 'sales@tharamek.example'],
  ['superA', 'manager@tharamek.example'],
  ['memberB', 'bid@noensai.example'],
  ['superB', 'manager@noensai.example'],
  ['operator', 'it@tamngan.example'],
])
const AT = '2026-11-21T03:00:00Z'

onOneEngine('authorisation', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  const headers = new Map<Actor, Record<string, string>>()
  const thingsByActor = new Map<Actor, Record<string, string | number>>()
  let passwordHash: string

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    await db.execute(sql`insert into line_channel (id, basic_id) values (1, '@tamngan')`)
    const languageModel = { baseUrl: 'https://models.example/v1', model: 'small', dailyQuestions: 1 }
    app = await appOn(db, { now: () => new Date(AT), settings: { languageModel } })
    passwordHash = await addAccounts(db)
    for (const [actor, email] of ACCOUNTS) headers.set(actor, (await signIn(app, email)).headers)
    await trustOperator(db)
    await db.script(`
      update organisations set is_watchlist_completed = false where code = 'wetchapim';
      update users set is_disabled = true where email_key = 'gone@tharamek.example';
      update organisations set is_disabled = true where code = 'closed'`)
    headers.set('anonymous', {})
    headers.set('notRegistered', { authorization: `Bearer ${await beginRegistration(app)}` })
    headers.set('loggedOut', await logOut(app))
    headers.set('demo', (await enterDemo(app)).headers)
    headers.set('key', { authorization: `Bearer ${await addKey(db)}` })
    const link = await addBudgetLink(db)
    for (const [actor, sent] of headers) {
      const things = {
        ...link,
        newWord: `คำใหม่ ${actor}`,
        password: SAMPLE_PASSWORD,
        newDomain: `${actor.toLowerCase()}.example`,
        newEmail: `${actor}@mailbox.example`,
      }
      const bearer = ACCOUNTS.has(actor) || actor === 'demo' ? sent.authorization?.slice('Bearer '.length) : undefined
      thingsByActor.set(actor, { ...things, ...(bearer ? await addThings(db, Number(decodeClaims(bearer).sub)) : {}) })
    }
  })
  afterAll(() => app.close())

  const send = (method: Method, url: string, sent: Record<string, string>, body?: unknown, raw?: string) =>
    app.inject({
      method,
      url: url.replace('*', 'nothing-here.js'),
      headers: {
        ...sent,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(raw === undefined ? {} : { 'content-type': 'application/octet-stream' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      ...(raw === undefined ? {} : { payload: raw }),
    })
  /**
   * Retries while /readyz answers 503, which happens when the database takes longer than a second on a busy machine.
   */
  const readiness = (method: Method) =>
    vi.waitFor(
      async () => {
        const answer = await send(method, '/readyz', {})
        if (answer.statusCode === 503) throw new Error(answer.body)
        return answer
      },
      { timeout: 30_000, interval: 500 },
    )
  const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']
  const partsOf = (route: string) => route.split(' ') as [Method, string]
  const ENDING = /end-all|password\/change|me\/leave/
  /**
   * Runs actors in parallel, because some responses are padded to constant time. Runs them sequentially where passwords
   * are hashed, because only a few hashes may wait at once.
   */
  const forEveryActor = async (route: string, check: (actor: Actor) => Promise<void>) => {
    const together = ENDING.test(route) ? 1 : 4
    for (const actors of splitIntoSlices(ACTORS, together)) await Promise.all(actors.map(check))
  }
  const restore = async (route: string, actor: Actor) => {
    const email = ACCOUNTS.get(actor)
    if (!email || !ENDING.test(route)) return
    await db.execute(
      sql`update users set password_hash = ${passwordHash}, is_disabled = false where email_key = ${email}`,
    )
    headers.set(actor, (await signIn(app, email)).headers)
    if (actor === 'operator') await trustOperator(db)
    headers.set('key', { authorization: `Bearer ${await addKey(db)}` })
  }

  test('R23: the tests below cover every HTTP method of the matrix', () => {
    expect(METHODS).toEqual(expect.arrayContaining(Object.keys(MATRIX).map((route) => partsOf(route)[0])))
  })

  test.each(METHODS)(
    'R23: each %s without a body answers each actor as the matrix says, HEAD like GET',
    async (method) => {
      const wrong: string[] = []
      for (const [route, { audience, bare }] of Object.entries(MATRIX)) {
        const [routeMethod, url] = partsOf(route)
        if (routeMethod !== method) continue
        // All hooks treat HEAD like GET, so test HEAD for only one actor per expected status.
        const heads = new Set<number | undefined>()
        const check = async (actor: Actor) => {
          const access = AUDIENCES[audience][actor]
          const expected = access === 'in' ? bare : access
          // Logging out would end the session that the next routes need, so send no credentials.
          const sent = url.endsWith('/logout') ? {} : headers.get(actor)!
          const isHead = method === 'GET' && !heads.has(expected)
          heads.add(expected)
          for (const tried of isHead ? (['GET', 'HEAD'] as const) : [method]) {
            const { statusCode, body } = await (url === '/readyz' ? readiness(tried) : send(tried, url, sent))
            if (statusCode !== expected)
              wrong.push(`${tried} ${url} as ${actor}: ${statusCode} instead of ${expected} ${body.slice(0, 200)}`)
          }
          if (access === 'in') await restore(route, actor)
        }
        await forEveryActor(route, check)
      }
      expect(wrong.join('\n')).toBe('')
    },
    120_000,
  )

  test('R23: refuses an unauthorised actor before reading the body, with the same response as without one', async () => {
    await db.script(`
      update sessions set revoked_at = null where id like 'own-%';
      update known_devices set trusted_until = now() + interval '10 years' where token_hash like 'own-%'`)
    const wrong: string[] = []
    for (const [route, { audience, full }] of Object.entries(MATRIX)) {
      if (!full) continue
      const [method, pattern] = partsOf(route)
      const check = async (actor: Actor) => {
        const things = { ...thingsByActor.get('superA')!, ...thingsByActor.get(actor)! }
        const filled = (value: unknown) =>
          typeof value === 'string' && value.startsWith('$') ? things[value.slice(1)] : value
        const url = pattern.replace(/:(\w+)/g, (_, name: string) => String(filled(full.params?.[name])))
        const body = full.body && JSON.parse(JSON.stringify(full.body), (_, value) => filled(value))
        const access = AUDIENCES[audience][actor]
        const answer = await send(method, url, headers.get(actor)!, body, full.raw)
        const expected = access === 'in' ? full.status : access
        if (answer.statusCode !== expected)
          wrong.push(`${route} as ${actor}: ${answer.statusCode} instead of ${expected} ${answer.body.slice(0, 200)}`)
        if (access === 'in') await restore(route, actor)
        else if (answer.body !== (await send(method, url, headers.get(actor)!)).body)
          wrong.push(`${route} as ${actor}: another refusal with a body than without`)
      }
      await forEveryActor(route, check)
    }
    expect(wrong.join('\n')).toBe('')
  }, 120_000)

  test('either flag allows choosing companies to compare; company pages need their own flag', async () => {
    await db.execute(
      sql`update organisations set is_company_compare = false, is_access_company_comparison = true where code = 'raanruamchai'`,
    )
    const noFlags = headers.get('noFlags')!
    const answers = ['company-suggestions?q=ก', 'company-comparison', 'companies'].map((path) =>
      app.inject({ url: `/api/v2/${encodeURI(path)}`, headers: noFlags }),
    )
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 403])
  })

  test('R59: a refusal by flag writes an audit row with the user', async () => {
    await db.execute(sql`delete from audit_events`)
    await app.inject({ url: '/api/v2/projects?page=2', headers: headers.get('budgetOnly')! })
    const rows = await db.query(sql`
      select a.kind, u.email, a.detail from audit_events a join users u on u.id = a.user_id`)
    expect(rows).toEqual([
      {
        kind: 'refused',
        email: 'research@fahkhram.example',
        detail: { method: 'GET', url: '/api/v2/projects?page=2' },
      },
    ])
  })
})

/**
 * Marks the operators' sessions as trusted, because operators need a second factor for everything (R61). The mark is on
 * the session, so that the account's factors look like those of other accounts.
 */
async function trustOperator(db: OpenDb): Promise<void> {
  await db.execute(sql`
    update sessions set is_factor_trusted = true where user_id in (select id from users where role = 'operator')`)
}

/**
 * Adds a super user to be disabled, a remaining user in each organisation that others leave, an organisation to be
 * closed and an operator. Returns the password hash. The operator's data source has a local address that refuses
 * connections.
 */
async function addAccounts(db: OpenDb): Promise<string> {
  await db.script(`
    insert into organisations (code, name, package, customer_config, areas_with_provinces)
    select made, made, package, customer_config, areas_with_provinces
    from organisations cross join (values ('closed'), ('operation')) a (made) where code = 'tharamek';
    insert into users (organisation_id, email, email_key, password_hash, role)
    select o.id, mail, mail, u.password_hash, a.role
    from users u, (values ('tharamek', 'gone@tharamek.example', 'super_user'), ('closed', 'gone@closed.example', 'super_user'),
      ('operation', 'it@tamngan.example', 'operator')) a (code, mail, role)
    join organisations o on o.code = a.code
    where u.email_key = 'manager@tharamek.example';
    insert into users (organisation_id, email, email_key, password_hash, role)
    select o.id, mail, mail, u.password_hash, 'super_user'
    from organisations o, users u, lateral (select 'stays@' || o.code || '.example' as mail) m where u.email_key = 'manager@tharamek.example';
    insert into intake_agencies (code, name, name_key) values ('1301', 'กรมทดสอบ', 'กรมทดสอบ');
    insert into intake_sources (source, address, opens_at, closes_at, pace_ms) values ('egp-rss', 'http://127.0.0.1:9/', '17:30', '08:30', 3000)`)
  const [user] = await db.query<{ password_hash: string }>(sql`
    select password_hash from users where email_key = 'gone@tharamek.example'`)
  return user!.password_hash
}

async function beginRegistration(app: RouteApp): Promise<string> {
  const payload = { email: 'anong@siamyotha.example', password: 'Kluay-5-Wan#', terms_accepted: true }
  const answer = await app.inject({ method: 'POST', url: '/api/v2/auth/register-step-one/', payload })
  return answer.json().register_form_code
}

async function logOut(app: RouteApp): Promise<Record<string, string>> {
  const { headers, refresh } = await signIn(app, 'sales@tharamek.example')
  await app.inject({ method: 'POST', url: '/api/v2/auth/logout/', payload: { refresh } })
  return headers
}

/**
 * Replaces the API key of organisation A with one that has all scopes. Replacing keeps the organisation below its limit
 * of 20 keys.
 */
async function addKey(db: OpenDb): Promise<string> {
  const key = generateApiKeyText()
  await db.execute(sql`delete from api_keys where name = 'matrix'`)
  await db.execute(sql`
    insert into api_keys (organisation_id, made_by, name, scopes, key_hash, ending, created_at)
    select organisation_id, id, 'matrix', '{report,pursuits,companies}', ${hashSecret(key)}, 'x', ${AT}::timestamptz
    from users where email_key = 'manager@tharamek.example'`)
  return key
}

async function addBudgetLink(db: OpenDb): Promise<{ budgetItem: string; project: string }> {
  const project = '67000000001'
  await putProjects(db, await addLoad(db), [{ id: project }])
  await putBudget(db, 2570, [{}])
  const [link] = await db.query<{ item_id: number }>(sql`
    insert into budget_links (item_id, project_id, confidence, reasons, state) select id, ${project}, 0.9, '{}', 1 from budget_items
    returning item_id`)
  return { budgetItem: String(link!.item_id), project }
}

async function addThings(db: OpenDb, userId: number): Promise<Record<string, string | number>> {
  const id = `own-${userId}`
  await db.execute(sql`
    insert into report_exports (id, organisation_id, user_id, format, query, columns, requested_at, bytes)
    select ${id}, organisation_id, id, 'csv', '{}', '{name}', ${AT}::timestamptz, 0 from users where id = ${userId}::int`)
  await db.execute(sql`
    insert into jobs (kind, key, payload, organisation_id, user_id, state, requested_at, run_at, finished_at)
    select 'export', ${id}, '{}', organisation_id, id, 'done', ${AT}::timestamptz, ${AT}::timestamptz, ${AT}::timestamptz
    from users where id = ${userId}::int`)
  await db.execute(sql`
    insert into sessions (id, user_id, created_at, last_seen_at, expires_at)
    values (${id}, ${userId}::int, ${AT}::timestamptz, ${AT}::timestamptz, '2026-12-01')`)
  const [keyword] = await db.query<{ id: number }>(sql`
    insert into keywords (organisation_id, list, word, word_key)
    select organisation_id, 'ai_include', ${id}, ${id} from users where id = ${userId}::int returning id`)
  const [deleted] = await db.query<{ id: number }>(sql`
    with added as (
      insert into keywords (organisation_id, list, word, word_key)
      select organisation_id, 'include', ${`${id} deleted`}, ${`${id} deleted`} from users where id = ${userId}::int returning *
    )
    insert into deleted_keywords (id, organisation_id, keyword, terms, deleted_at, deleted_by)
    select id, organisation_id, to_jsonb(added), '[]', ${AT}::timestamptz, ${userId}::int from added returning id`)
  await db.execute(sql`delete from keywords where id = ${deleted!.id}::int`)
  await db.execute(sql`
    insert into project_filters (project_id, written_load, department_id, is_archived, is_sme, status, movement, criteria, method, method_type)
    values ('67000000001', 1, 1, false, false, 1, 1, 1, 1, 1) on conflict do nothing`)
  await db.execute(sql`
    insert into match_words (organisation_id, matched_by, matched_words)
    select organisation_id, '{}', '{}' from users where id = ${userId}::int on conflict do nothing`)
  await db.execute(sql`
    insert into project_matches (organisation_id, filters_id, words_id, first_load, project_id)
    select u.organisation_id, f.id, w.id, 1, f.project_id
    from users u join match_words w on w.organisation_id = u.organisation_id, project_filters f
    where u.id = ${userId}::int and f.project_id = '67000000001' limit 1
    on conflict do nothing`)
  // The same content as the file that the row of the matrix uploads, so that the upload finds this document.
  const hash = createHash('sha256').update('%PDF-1.4').digest('hex')
  for (const [document, project] of [
    [`document-${id}`, id],
    [`same-${id}`, '67000000001'],
  ])
    await db.execute(sql`
      insert into documents (id, organisation_id, project_id, user_id, hash, type, name, bytes, added_at)
      select ${document}, organisation_id, ${project}, id, ${hash}, 'pdf', 'x.pdf', 8, ${AT}::timestamptz from users where id = ${userId}::int
      on conflict do nothing`)
  await db.execute(sql`
    insert into document_answers (organisation_id, host, model)
    select organisation_id, 'models.example', 'small' from users where id = ${userId}::int on conflict do nothing`)
  const [invitation] = await db.query<{ id: number }>(sql`
    insert into invitations (organisation_id, email, email_key, role, token_hash, sent_at, expires_at)
    select organisation_id, ${`${id}@new.example`}, ${`${id}@new.example`}, 'member_user', ${id}, ${AT}::timestamptz, '2026-12-01'
    from users where id = ${userId}::int returning id`)
  const requests = await db.query<{ id: number }>(sql`
    insert into join_requests (organisation_id, email, email_key, name, requested_at)
    select organisation_id, e, e, 'x', ${AT}::timestamptz from users, unnest(array[${`${id}@a.example`}, ${`${id}@b.example`}]) e
    where id = ${userId}::int returning join_requests.id`)
  const [feed] = await db.query<{ id: number }>(sql`
    insert into calendar_feeds (organisation_id, user_id, source, token_hash, created_at)
    select organisation_id, id, 'starred', ${id}, ${AT}::timestamptz from users where id = ${userId}::int returning id`)
  const [loginDomain] = await db.query<{ id: number }>(sql`
    insert into login_domains (organisation_id, domain, provider, token, created_at)
    select organisation_id, concat('of-', id, '.example'), 'google', ${TEST_DOMAIN_TOKEN}, now() from users where id = ${userId}::int returning id`)
  await db.execute(sql`insert into login_identities values (${userId}::int, 'issuer', ${String(userId)}, now(), now())`)
  const [apiKey] = await db.query<{ id: number }>(sql`
    insert into api_keys (organisation_id, made_by, name, scopes, key_hash, ending, created_at)
    select organisation_id, id, 'x', '{report}', ${id}, 'x', ${AT}::timestamptz from users where id = ${userId}::int returning id`)
  const [lineGroup] = await db.query<{ id: number }>(sql`
    insert into line_groups (organisation_id, group_hash, connected_at)
    select organisation_id, ${id}, ${AT}::timestamptz from users where id = ${userId}::int returning id`)
  // The push service of these devices is a closed local port. Their key is a valid curve point. The session is a
  // separate one that no other row ends.
  const sessionId = `${id}-push`
  await db.execute(
    sql`insert into sessions (id, user_id, expires_at) values (${sessionId}, ${userId}::int, '2027-01-01')`,
  )
  for (const device of [id, `document-${id}`])
    await db.execute(sql`
      insert into push_devices (id, user_id, organisation_id, session_id, endpoint, endpoint_hash, p256dh, auth, secret_hash, created_at)
      select ${device}, id, organisation_id, ${sessionId}, 'http://127.0.0.1:9/x', ${device}, ${createECDH('prime256v1').generateKeys('base64url')},
        ${'A'.repeat(22)}, ${device}, ${AT}::timestamptz
      from users where id = ${userId}::int`)
  const [device] = await db.query<{ id: number }>(sql`
    insert into known_devices (user_id, token_hash, created_at, used_at, trusted_until)
    values (${userId}::int, ${id}, ${AT}::timestamptz, ${AT}::timestamptz, ${AT}::timestamptz + interval '1 day') returning id`)
  const [webhook] = await db.query<{ id: number }>(sql`
    insert into webhooks (organisation_id, made_by, name, url, events, secret, created_at)
    select organisation_id, id, 'x', 'https://hooks.example/', '{match.new}', 'x', ${AT}::timestamptz from users where id = ${userId}::int returning id`)
  const delivery = `msg_${id}`
  await db.execute(sql`
    insert into webhook_deliveries (id, organisation_id, webhook_id, type, at, data, state, reason, tries_until)
    select ${delivery}, organisation_id, ${webhook!.id}::int, 'match.new', ${AT}::timestamptz, '{}', 'dead', 'expired', ${AT}::timestamptz
    from users where id = ${userId}::int`)
  const [draftComment] = await db.query<{ id: number }>(sql`
    insert into draft_comments (organisation_id, project_id, user_id, commented_on, text, created_at)
    select organisation_id, '67000000001', id, '2026-11-20', 'x', ${AT}::timestamptz from users where id = ${userId}::int returning id`)
  const reportCard = `0${String(userId).padStart(12, '0')}`
  await db.execute(sql`
    insert into report_cards (organisation_id, tax_id, name, points, noted_at)
    select organisation_id, ${reportCard}, 'x', 1, ${AT}::timestamptz from users where id = ${userId}::int`)
  const joinRequestIds = { joinRequest: requests[0]!.id, otherRequest: requests[1]!.id }
  const made = {
    invitation: invitation!.id,
    feed: feed!.id,
    apiKey: apiKey!.id,
    loginDomain: loginDomain!.id,
    loginIdentity: userId,
    lineGroup: lineGroup!.id,
    webhook: webhook!.id,
    delivery,
    device: device!.id,
    draftComment: draftComment!.id,
    reportCard,
    ...joinRequestIds,
  }
  const things = { matched: '67000000001', document: `document-${id}`, user: userId, ...made }
  return { ...things, export: id, session: id, aiKeyword: keyword!.id, deletedKeyword: deleted!.id }
}
