import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { KEYWORD_LIST_CODES } from '#contract/account/organisation.ts'
import { KEYWORD_LIST_RULES, toKeywordKey } from '#contract/matching/keyword.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { getWordsByList, type KeywordWorld, MORNING, makeKeywordWorld } from '../../../test/world/keyword-world.ts'

onEachEngineInTurn('adding words', (makeDb) => {
  let db: OpenDb
  let world: KeywordWorld
  let user: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    world = await makeKeywordWorld(db)
    user = await signIn(world.app, 'manager@tharamek.example')
  })
  afterAll(() => world.app.close())
  beforeEach(() => world.clear())

  const add = (body: object) => world.changed(user, 'POST', '', body)
  const refused = async (body: object) => {
    const before = await world.organisation(user)
    const errors = await world.refused(user, 'POST', '', body)
    expect(await world.organisation(user)).toEqual(before)
    return errors
  }
  const words = (...listed: string[]) => listed.map((word) => ({ word }))
  const setLimit = (name: string, max: number) =>
    db.execute(sql`
      update organisations set customer_config = customer_config || ${JSON.stringify({ [name]: max })}::jsonb where code = 'tharamek'`)

  test('stores words of all five lists with author and time, and rematches affected projects', async () => {
    const after = await add({
      include_keywords: words(' กล้องวงจรปิด ', 'CCTV||กล้อง'),
      exclude_keywords: words('ซ่อม'),
      ai_include_keywords: words('ระบบที่ไม่มีใครรู้จัก'),
      ai_exclude_keywords: words('เช่า'),
      deptsub_include_keywords: words('สำนักการโยธา', 'กรุงเทพมหานคร'),
    })
    expect(getWordsByList(after)).toEqual({
      include: ['กล้องวงจรปิด', 'CCTV||กล้อง'],
      exclude: ['ซ่อม'],
      ai_include: ['ระบบที่ไม่มีใครรู้จัก'],
      ai_exclude: ['เช่า'],
      deptsub_include: ['สำนักการโยธา', 'กรุงเทพมหานคร'],
    })
    expect(after.include[0]).toMatchObject({
      approved: true,
      group_id: null,
      added_at: MORNING.toISOString(),
      added_by: 'ปวีณา ธารเมฆา',
    })
    expect(await world.scopes()).toEqual([
      {
        expressions: ['กล้องวงจรปิด', 'CCTV||กล้อง', 'ซ่อม'],
        terms: expect.arrayContaining(['ระบบที่ไม่มีใครรู้จัก', 'เช่า']),
        units: ['สำนักการโยธา', 'กรุงเทพมหานคร'],
      },
    ])
    expect(await world.organisation(user)).toEqual(after)
  })

  test('R59: the audit row has the user, the added words and the address', async () => {
    const after = await add({ include_keywords: words('กล้อง'), exclude_keywords: words('ซ่อม') })
    const rows = await db.query(sql`
      select a.kind, u.email, o.code, a.detail, a.address is not null as placed, a.request_id is not null as numbered
      from audit_events a join users u on u.id = a.user_id join organisations o on o.id = a.organisation_id`)
    const word = (list: 'include' | 'exclude') => ({
      id: after[list][0]!.id,
      list,
      word: after[list][0]!.word,
      group_id: null,
      approved: true,
    })
    expect(rows).toEqual([
      {
        kind: 'lists_changed',
        email: 'manager@tharamek.example',
        code: 'tharamek',
        detail: { did: 'add', before: [], after: [word('include'), word('exclude')] },
        placed: true,
        numbered: true,
      },
    ])
  })

  test('one invalid word rejects the whole request, with reason and line of each error', async () => {
    await add({ include_keywords: words('กล้อง') })
    const { errors, non_field_errors, lines } = await refused({
      include_keywords: words('เครื่องพิมพ์', '(กล้อง||CCTV', 'ก', 'กล้อง ', 'จอภาพ', 'จอ ภาพ', 'กล้อง####CCTV'),
      ai_include_keywords: words('กล้อง||CCTV', ''),
      deptsub_include_keywords: words('กองที่ไม่มี'),
    })
    expect(lines.map(({ list, index, code, position }) => [list, index, code, position])).toEqual([
      ['ai_include', 0, 'operator', 5],
      ['ai_include', 1, 'E_EMPTY', 0],
      ['include', 1, 'E_BRACKET', 0],
      ['include', 2, 'E_SHORT', 0],
      ['include', 3, 'duplicate', 0],
      ['include', 5, 'repeated', 0],
      ['include', 6, 'E_OPERATOR', 5],
      ['deptsub_include', 0, 'unknown_department', 0],
    ])
    expect(new Set(Object.keys(errors))).toEqual(
      new Set(['ai_include_keywords', 'include_keywords', 'deptsub_include_keywords', 'invalid_brackets']),
    )
    expect(errors.invalid_brackets).toEqual(['(กล้อง||CCTV', 'กล้อง####CCTV'])
    expect(errors.include_keywords).toContain('“(กล้อง||CCTV”: วงเล็บตรงนี้ไม่ครบคู่')
    expect(errors.ai_include_keywords).toBe(`${non_field_errors[0]} และอีก 1 รายการ`)
    expect(non_field_errors[0]).toContain('“กล้อง||CCTV”: ')
  })

  test('names a blacklisted term anywhere in the expression, also in exclusions and AI words', async () => {
    const { errors, lines } = await refused({
      include_keywords: words('จ้าง', 'กล้อง<<(ซ่อม||จัด ซื้อ)'),
      exclude_keywords: words('E-BIDDING'),
      ai_include_keywords: words('โครงการ'),
    })
    expect(errors.blacklisted_words).toEqual(['โครงการ', 'จ้าง', 'จัด ซื้อ', 'E-BIDDING'])
    expect(lines.map(({ code }) => code)).toEqual(['blacklisted', 'blacklisted', 'blacklisted', 'blacklisted'])
    expect(lines[1]!.message).toContain('“จ้าง”')
    expect((await add({ include_keywords: words('จ้างเหมาทำความสะอาด') })).include).toHaveLength(1)
  })

  test('stores every initial blacklist word under its lookup key', async () => {
    const rows = await db.query<{ word: string; word_key: string }>(sql`select word, word_key from keyword_blacklist`)
    expect(rows.length).toBeGreaterThan(20)
    for (const { word, word_key } of rows) expect(word_key).toBe(toKeywordKey(word))
  })

  test.each(KEYWORD_LIST_CODES)('enforces the exact limit of %s, with the current count and advice', async (list) => {
    const { payload, limit, th } = KEYWORD_LIST_RULES[list]
    const three =
      list === 'deptsub_include' ? words('สำนักการโยธา', 'กรุงเทพมหานคร', 'สำนัก ดิจิทัล') : words('กล้อง', 'จอภาพ', 'โดรน')
    await setLimit(limit, 2)
    const { errors, lines } = await refused({ [payload]: three })
    expect(lines.map(({ index, code }) => [index, code])).toEqual([[2, 'limit']])
    expect(errors[payload]).toMatch(new RegExp(`${th.replace(/[()]/g, '\\$&')}.*ไม่เกิน 2 .*ตอนนี้มี 0 .*ติดต่อทีมงาน`))
    expect((await add({ [payload]: three.slice(0, 2) }))[list]).toHaveLength(2)
    expect((await refused({ [payload]: three.slice(2) })).lines).toMatchObject([{ index: 0, code: 'limit' }])
    await setLimit(limit, 20)
  })

  test('recognises a department in every spelling and stores its canonical name', async () => {
    const after = await add({ deptsub_include_keywords: words('สํานักดิจิทัล', 'เทศบาลตำบล บ้านแก้ว') })
    expect(getWordsByList(after)).toEqual({ deptsub_include: ['สำนัก ดิจิทัล', 'เทศบาลตำบลบ้านแก้ว'] })
    expect(await world.scopes()).toMatchObject([{ units: ['สำนัก ดิจิทัล', 'เทศบาลตำบลบ้านแก้ว'] }])
    const again = await refused({ deptsub_include_keywords: words('สำนักดิจิทัล') })
    expect(again.lines).toMatchObject([{ code: 'duplicate' }])
  })

  test('creates or finds a group by name, which takes precedence over an id; an unknown id is refused', async () => {
    const first = await add({
      include_keywords: [
        { word: 'กล้อง', group: ' งานกล้อง ' },
        { word: 'CCTV', group: 'งาน กล้อง' },
      ],
    })
    expect(first.keyword_groups).toEqual([{ id: expect.any(Number), name: 'งานกล้อง' }])
    const group = first.keyword_groups[0]!.id
    const after = await add({
      exclude_keywords: [
        { word: 'ซ่อม', group_id: group },
        { word: 'เช่า', group_id: 99, group: 'งานกล้อง' },
      ],
      include_keywords: [{ word: 'จอภาพ', group_id: null }],
    })
    expect([...after.include, ...after.exclude].map(({ group_id }) => group_id)).toEqual([
      group,
      group,
      null,
      group,
      group,
    ])
    const { lines } = await refused({ include_keywords: [{ word: 'โดรน', group_id: group + 1 }] })
    expect(lines).toMatchObject([{ code: 'unknown_group', index: 0 }])
    expect(
      (await world.send(user, 'POST', '', { include_keywords: [{ word: 'โดรน', group: ' \u200b ' }] })).status,
    ).toBe(400)
  })

  test('a dry run stores nothing, returns the same as adding and respects the limit', async () => {
    await setLimit('limit_include_by_name', 1)
    const before = await world.organisation(user)
    const body = { include_keywords: words('กล้อง', 'จอภาพ'), exclude_keywords: words('จ้าง') }
    const check = await world.send(user, 'POST', '/keywords/check', body)
    expect(check.status).toBe(200)
    expect(check.body.lines).toEqual((await refused(body)).lines)
    expect(await world.organisation(user)).toEqual(before)
    await setLimit('limit_include_by_name', 50)
  })

  test('an empty addition changes nothing and writes no audit row', async () => {
    for (const body of [{}, { include_keywords: [] }]) await add(body)
    expect(await world.scopes()).toEqual([])
    expect(await db.query(sql`select from audit_events`)).toEqual([])
  })

  test('stores or refuses hostile words without a 5xx', async () => {
    const after = await add({
      include_keywords: words(
        'constructor',
        '__proto__',
        '🎉🎉',
        '\u202Eกล้อง\u202C',
        'จอ\u0000ภาพ',
        'ถนน\uD800ใหญ่',
        "'; drop table keywords; --",
        '<img src=x>',
      ),
      ai_include_keywords: words('hasOwnProperty'),
    })
    expect(getWordsByList(after)).toEqual({
      include: [
        'constructor',
        '__proto__',
        '🎉🎉',
        'กล้อง',
        'จอ ภาพ',
        'ถนนใหญ่',
        "'; drop table keywords; --",
        '<img src=x>',
      ],
      ai_include: ['hasOwnProperty'],
    })
    const tooLong = await refused({
      include_keywords: words('\uFDFA'.repeat(300)),
      ai_include_keywords: words('ก'.repeat(201)),
    })
    expect(tooLong.lines.map(({ code }) => code)).toEqual(['too_long', 'too_long'])
    const hundreds = await refused({ include_keywords: Array.from({ length: 500 }, (_, i) => ({ word: `คำที่ ${i}` })) })
    expect(hundreds.lines.every(({ code }) => code === 'limit')).toBe(true)
    for (const body of [
      { include_keywords: words('ก'.repeat(501)) },
      { include_keywords: Array.from({ length: 501 }, (_, i) => ({ word: `คำที่ ${i}` })) },
      { include_keywords: 'กล้อง' },
      { include_keywords: [{ word: 1 }] },
      { include_keywords: [{ word: 'กล้อง', group: 'ก'.repeat(61) }] },
      { include_keywords: [{ word: 'กล้อง', group_id: 2 ** 40 }] },
      { deptsub_include_keywords: words('\u0000', '\u200b') },
      [],
      '{"__proto__": {}}',
    ])
      expect([body, (await world.send(user, 'POST', '', body)).status]).toEqual([body, 400])
  })
})
