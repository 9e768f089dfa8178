import path from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateCompanyFacts } from '#server/market/company/update-company-facts.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onOneEngine } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import {
  callTool,
  connectByHttp,
  createMcpClient,
  createTestApiKey,
  listenLocally,
} from '../../../test/server/mcp-client.ts'
import { CANARY, type CanaryWorld, makeCanaryWorld } from '../../../test/world/canary-world.ts'
import { ALPHA } from '../../../test/world/company-world.ts'
import { addLoad } from '../../../test/world/report-world.ts'
import { putWonProjects } from '../../../test/world/won-projects.ts'

const NOW = new Date('2026-11-21T03:00:00Z')
const AGENCY = 'เทศบาลเมืองตัวอย่าง'
const TOOLS = [
  'search_projects',
  'get_project',
  'project_documents',
  'deadlines',
  'my_pursuits',
  'who_wins',
  'company',
  'agency',
]

onOneEngine('assistants', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let base: string
  let world: CanaryWorld
  let a: SignedIn
  let b: SignedIn
  let allKey: string
  let client: Client

  beforeAll(async () => {
    db = await makeDb()
    world = await makeCanaryWorld(db)
    const contracts = [{ ...ALPHA, amount: 90_000_000, signedOn: '2025-03-10' }]
    await putWonProjects(db, await addLoad(db), [{ id: 'won', year: 2568, dept: AGENCY, contracts }])
    await updateCompanyFacts(db)
    app = await appOn(db, { now: () => NOW, settings: { publicUrl: 'https://tamngan.example' } })
    a = await signIn(app, 'manager@tharamek.example')
    b = await signIn(app, 'manager@noensai.example')
    allKey = (await createTestApiKey(app, a, ['report', 'pursuits', 'companies'])).key
    base = await listenLocally(app)
    client = await connectByHttp(base, allKey)
  })
  afterAll(async () => {
    await client.close()
    await app.close()
  })

  const names = async (of: Client) => (await of.listTools()).tools.map(({ name }) => name)
  const answerOf = async (name: string, args: Record<string, unknown> = {}, of = client) => {
    const { isError, text } = await callTool(of, name, args)
    expect([name, isError, text.slice(0, isError ? 500 : 0)]).toEqual([name, false, ''])
    return JSON.parse(text)
  }

  test('lists every tool as read-only, with a description in Thai and the filters of the catalogue', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS)
    for (const { description, annotations } of tools)
      expect([description, annotations?.readOnlyHint]).toEqual([expect.stringMatching(/[ก-ฮ]/), true])
    const search = tools[0]!.inputSchema.properties!
    expect(Object.keys(search)).toEqual(
      expect.arrayContaining(['project_search__in', 'ai_deep_search__in', 'team_label__in', 'ordering', 'page']),
    )
    expect(Object.keys(search)).not.toEqual(expect.arrayContaining(['project_bookmark']))
  })

  test('each tool answers with the address of our screen and its source', async () => {
    const id = world.as.project
    const calls: readonly (readonly [name: string, args: Record<string, unknown>, url: string])[] = [
      ['search_projects', { project_id__in: [id], page_size: 100 }, `/report?project_id__in=${id}&page_size=100`],
      ['get_project', { project_id: id }, `/report/${id}`],
      ['project_documents', { project_id: id }, `/report/${id}?tab=files`],
      ['deadlines', { days: 30 }, '/report?project_bidding__in=open&submission_end_date__range=%400%2C%4030'],
      ['my_pursuits', {}, '/board'],
      ['who_wins', { market: true }, '/report?view=who_wins&market=true'],
      ['company', { name: ALPHA.name, scope: 'all' }, `/companies/${encodeURIComponent(ALPHA.name)}`],
      ['agency', { agency: AGENCY }, `/agencies/${encodeURIComponent(AGENCY)}`],
    ]
    for (const [name, args, url] of calls) {
      const answer = await answerOf(name, args)
      expect([name, answer.url]).toEqual([name, expect.stringContaining(`https://tamngan.example${url}`)])
      expect([name, answer.source]).toEqual([name, expect.objectContaining({ system: expect.any(String) })])
    }
    const page = await answerOf('search_projects', { project_id__in: [id] })
    expect(page.results[0]).toMatchObject({
      project_id: id,
      url: `https://tamngan.example/report/${id}`,
      source: { egp_number: id },
    })
    const { documents } = await answerOf('project_documents', { project_id: id })
    expect(documents[0]).toMatchObject({
      url: `https://tamngan.example/report/${id}/documents/${world.as.document}`,
      source: { egp_number: id },
      added_by: null,
      facts: [
        {
          page: 1,
          sentence: CANARY,
          url: `https://tamngan.example/report/${id}/documents/${world.as.document}?page=1`,
        },
      ],
    })
    const { stages, results } = await answerOf('my_pursuits')
    expect([stages.length > 0, results[0]]).toEqual([true, expect.objectContaining({ stage_name: expect.any(String) })])
  })

  test('refuses bad arguments in Thai, with the way to fix them', async () => {
    const cases: readonly (readonly [name: string, args: Record<string, unknown>, text: RegExp])[] = [
      ['search_projects', { project_budget__range: '5,1' }, /project_budget__range: ต้องเป็นช่วงจำนวนเงิน เช่น/],
      ['search_projects', { colour: 'red' }, /^colour: ไม่มีชื่อนี้ ใช้ได้ .*project_search__in/],
      ['search_projects', { project_search__in: { text: 'x' } }, /project_search__in: ต้องเป็นข้อความ/],
      ['get_project', {}, /project_id: ต้องระบุ เลขที่โครงการ/],
      ['get_project', { project_id: '1' }, /^ไม่พบ.*search_projects/],
      ['deadlines', { days: -1 }, /days: ต้องเป็นจำนวนเต็ม/],
      ['deadlines', { kind: 'x' }, /kind: ใช้ได้ submission/],
      ['company', { name: 'ไม่มีบริษัทนี้' }, /^ไม่พบ.*13 หลัก/],
      ['company', { name: 'x', year_from: 2024 }, /year_from: ต้องเป็นปีงบประมาณ พ.ศ./],
      ['agency', { agency: 'ไม่มี' }, /^ไม่พบ.*รหัส e-GP/],
      ['who_wins', { market: true, document_text__in: 'ประกาศ' }, /^document_text__in: .*ใช้ได้กับโครงการของเราเท่านั้น/],
      ['my_pursuits', { stage: 'a b' }, /^stage: .*ตรวจสอบ/],
      ['delete_everything', {}, /ไม่มีเครื่องมือ delete_everything ใช้ได้ search_projects/],
    ]
    for (const [name, args, text] of cases)
      expect([name, args, await callTool(client, name, args)]).toEqual([
        name,
        args,
        { isError: true, text: expect.stringMatching(text) },
      ])
  })

  test('R23: lists and answers only what the scopes of the key allow', async () => {
    const report = await connectByHttp(base, (await createTestApiKey(app, a, ['report'])).key)
    expect(await names(report)).toEqual(['search_projects', 'get_project', 'project_documents', 'deadlines'])
    const { tools } = await report.listTools()
    expect(Object.keys(tools[0]!.inputSchema.properties!).filter((name) => /^(team|pursuit)_/.test(name))).toEqual([])
    for (const [name, args, text] of [
      ['my_pursuits', {}, /^คีย์นี้ใช้ my_pursuits ไม่ได้ .*“งานของเรา”/],
      ['who_wins', {}, /“บริษัท”/],
      ['search_projects', { team_label__in: [world.as.label] }, /scope "pursuits"/],
    ] as const)
      expect(await callTool(report, name, args)).toEqual({ isError: true, text: expect.stringMatching(text) })
    const { text } = await callTool(report, 'search_projects')
    expect(text).not.toMatch(/pursuit|owner_name|stage_name|team_label/)
    expect((await report.listResources()).resources).toEqual([])
    expect((await report.listPrompts()).prompts.map(({ name }) => name)).toEqual(['decide_today'])

    const companies = await connectByHttp(base, (await createTestApiKey(app, a, ['companies'])).key)
    expect(await names(companies)).toEqual(['who_wins', 'company', 'agency'])
    expect(await callTool(companies, 'who_wins', { pursuit_has_notes: true })).toEqual({
      isError: true,
      text: expect.stringMatching(/scope "pursuits"/),
    })
    const [withPursuits, without] = [
      await answerOf('agency', { agency: AGENCY }),
      await answerOf('agency', { agency: AGENCY }, companies),
    ]
    expect([withPursuits.ours.pursuits, without.ours.pursuits]).toEqual([expect.any(Array), null])
  })

  test('a saved filter that the team shares is a resource with its projects', async () => {
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([`tamngan://saved-filters/${world.as.user}/${world.as.filter}`])
    const { contents } = await client.readResource({ uri: resources[0]!.uri })
    const answer = JSON.parse((contents[0] as { text: string }).text)
    expect(answer).toMatchObject({ saved_filter: resources[0]!.name, source: { system: 'e-GP' } })
    expect(answer.url).toBe(`https://tamngan.example/report?${new URLSearchParams({ project_name__in: CANARY })}`)
    await expect(client.readResource({ uri: 'tamngan://saved-filters/1/x' })).rejects.toThrow(/ไม่พบตัวกรองนี้/)
  })

  test('offers prompts in Thai', async () => {
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ title }) => title)).toEqual(['สรุปงานที่ต้องตัดสินใจวันนี้', 'ใครน่าจะยื่นงานนี้'])
    const bidders = await client.getPrompt({ name: 'likely_bidders', arguments: { project_id: '67110000001' } })
    expect(JSON.stringify(bidders.messages)).toContain('ใครน่าจะยื่นโครงการ 67110000001')
    await expect(client.getPrompt({ name: 'likely_bidders' })).rejects.toThrow(/project_id: ต้องระบุ/)
  })

  test('R24: another organisation’s project is unknown', async () => {
    const stranger = await connectByHttp(
      base,
      (await createTestApiKey(app, b, ['report', 'pursuits', 'companies'])).key,
    )
    for (const name of ['get_project', 'project_documents'])
      expect(await callTool(stranger, name, { project_id: world.as.project })).toEqual(
        await callTool(stranger, name, { project_id: world.nobodys.project }),
      )
    expect(await callTool(stranger, 'get_project', { project_id: world.as.project })).toMatchObject({ isError: true })
    expect((await stranger.listResources()).resources).toEqual([])
    expect((await callTool(stranger, 'get_project', { project_id: world.shared.project })).isError).toBe(false)
  })

  test('refuses unknown and revoked keys, sessions, batches and streams', async () => {
    await expect(connectByHttp(base, `${allKey}x`)).rejects.toThrow(/session_invalid/)
    const { id, key } = await createTestApiKey(app, a, ['report'])
    const revoked = await connectByHttp(base, key)
    const url = `/api/v2/organisations/me/api-keys/${id}`
    await app.inject({ method: 'DELETE', url, headers: a.headers })
    await expect(revoked.listTools()).rejects.toThrow(/session_invalid/)
    const send = (headers: Record<string, string>, payload: object) =>
      app.inject({ method: 'POST', url: '/api/mcp', headers, payload })
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect((await send(a.headers, message)).statusCode).toBe(403)
    const byKey = { authorization: `Bearer ${allKey}` }
    expect((await send(byKey, [message, message])).statusCode).toBe(400)
    expect((await send({ ...byKey, origin: 'https://elsewhere.example' }, message)).statusCode).toBe(403)
    expect((await app.inject({ url: '/api/mcp', headers: byKey })).statusCode).toBe(405)
  })

  test('R42: a tool counts against the limits of its route and states when to retry', async () => {
    const limited = await appOn(db, { now: () => NOW, settings: { limits: { report: 1 } } })
    const call = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } })
    const headers = { authorization: `Bearer ${allKey}` }
    const texts: string[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await limited.inject({
        method: 'POST',
        url: '/api/mcp',
        headers,
        payload: call('search_projects'),
      })
      texts.push(answer.json().result.content[0].text)
    }
    expect(texts.at(-1)).toContain('ถี่เกินไป')
    expect(texts.at(-1)).toMatch(/\nลองใหม่ในอีก \d+ วินาที/)
    await limited.close()
  })

  test('is recorded as the key’s own requests: last use, no views, no usage log', async () => {
    await db.execute(sql`update api_keys set used_at = null`)
    await answerOf('get_project', { project_id: world.as.project })
    const [row] = await db.query<{ used: number; views: number; lines: number }>(sql`
      select (select count(*)::int from api_keys where used_at is not null) as used,
        (select count(*)::int from project_views where user_id = 0) as views,
        (select count(*)::int from usage_events where user_id = 0) as lines`)
    expect(row).toEqual({ used: 1, views: 0, lines: 0 })
  })

  test('`npm run mcp` connects an assistant over standard input and output', { timeout: 120_000 }, async () => {
    const connect = async (env: Record<string, string>) => {
      const local = createMcpClient()
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [path.join(import.meta.dirname, '../../main.ts'), 'mcp'],
        env: { PATH: process.env.PATH ?? '', ...env },
        stderr: 'ignore',
      })
      await local.connect(transport, { timeout: 100_000 })
      return local
    }
    const local = await connect({ TAMNGAN_URL: base, TAMNGAN_KEY: allKey })
    expect(await names(local)).toEqual(TOOLS)
    expect(await answerOf('get_project', { project_id: world.as.project }, local)).toMatchObject({
      url: `https://tamngan.example/report/${world.as.project}`,
    })
    expect((await callTool(local, 'get_project', {})).isError).toBe(true)
    await local.close()
    await expect(connect({ TAMNGAN_URL: base, TAMNGAN_KEY: `${allKey}x` })).rejects.toThrow(/TAMNGAN_KEY/)
  })
})
