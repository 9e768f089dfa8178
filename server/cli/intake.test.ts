import { beforeEach, expect, test } from 'vitest'
import { INTAKE_JOB_TYPE, runIntake } from '#server/catalogue/intake/intake-commands.ts'
import { replaceFeedAgencies } from '#server/catalogue/intake/replace-agencies.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { jobsOf } from '../../test/jobs.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { parseIntakeArgs, runIntakeCommand } from './intake.ts'

test('parses arguments and shows the usage for wrong ones', () => {
  expect(parseIntakeArgs(['status'])).toEqual({ command: 'status' })
  expect(
    parseIntakeArgs([
      'on',
      'egp-rss',
      '--contact',
      'a@b.example',
      '--window',
      '18:00-06:00',
      '--pace',
      '5',
      '--probe-at',
      'none',
    ]),
  ).toEqual({
    command: 'on',
    source: 'egp-rss',
    changes: { contact: 'a@b.example', opensAt: '18:00', closesAt: '06:00', paceMs: 5_000, probeAt: null },
  })
  expect(parseIntakeArgs(['status', '--json'])).toEqual({ command: 'status' })
  for (const args of [
    [],
    ['status', '--json', '--key'],
    ['off', 'egp-rss', '--json'],
    ['on'],
    ['off', 'egp-rss', '--pace', '4'],
    ['status', 'egp-rss'],
    ['on', 'egp-rss', '--what'],
    ['run', 'a', 'b'],
  ])
    expect(() => parseIntakeArgs(args), args.join(' ')).toThrow('usage: npm run intake')
  expect(() => parseIntakeArgs(['on', 'cgd'])).toThrow('there is no source cgd')
})

onOneEngine('the commands of the intake', (makeDb) => {
  let db: OpenDb
  let lines: string[]
  const now = new Date('2026-11-23T10:00:00+07:00')
  const run = (...args: string[]) =>
    runIntakeCommand(args, (request) => runIntake(db, request, now), {
      isTty: false,
      log: (line) => void lines.push(line),
      redraw: () => undefined,
    })
  beforeEach(async () => {
    db = await makeDb()
    lines = []
  })
  const addAgency = () =>
    db.transaction((tx) =>
      replaceFeedAgencies(tx, [
        { code: '0304', name: 'กรมบัญชีกลาง' },
        { code: '1030010116', name: 'โรงเรียน' },
      ]),
    )

  test('everything is off initially, and status shows what is missing', async () => {
    await run('status')
    expect(lines[0]).toBe('egp-rss: off')
    expect(lines.join('\n')).toContain('required to switch the source on')
    expect(await jobsOf(db, INTAKE_JOB_TYPE.kind)).toEqual([])
    await expect(run('run', 'egp-rss')).rejects.toThrow('egp-rss is off')
    await expect(run('probe', 'egp-rss')).rejects.toThrow('no contact address')
  })

  test('rejects switching on without contact or agencies, too fast, or with an invalid window or address', async () => {
    await expect(run('on', 'egp-rss')).rejects.toThrow('--contact')
    await expect(run('on', 'egp-rss', '--contact', 'nobody')).rejects.toThrow('--contact')
    await expect(run('on', 'egp-rss', '--contact', 'a@b.example')).rejects.toThrow('egp-agencies')
    await addAgency()
    const on = (...more: string[]) => run('on', 'egp-rss', '--contact', 'a@b.example', ...more)
    await expect(on('--pace', '1')).rejects.toThrow('--pace')
    await expect(on('--pace', 'fast')).rejects.toThrow('--pace')
    await expect(on('--window', '17:30')).rejects.toThrow('--window')
    await expect(on('--window', '25:00-08:30')).rejects.toThrow('--window')
    await expect(on('--address', 'file:///etc/passwd')).rejects.toThrow('--address')
    expect(await jobsOf(db, INTAKE_JOB_TYPE.kind)).toEqual([])
  })

  test('repeating on keeps one job and unnamed settings, and off cancels it', async () => {
    await addAgency()
    await run('on', 'egp-rss', '--contact', 'a@b.example', '--pace', '6')
    await run('on', 'egp-rss', '--window', '18:00-06:00')
    expect(lines.at(-1)).toBe('egp-rss is on; the first night starts 2026-11-23T11:00:00.000Z')
    expect((await jobsOf(db, INTAKE_JOB_TYPE.kind)).map(({ state }) => state)).toEqual(['cancelled', 'waiting'])
    await run('status')
    expect(lines).toContain('  window    18:00-06:00, one request every 6 s, probe at 12:00')
    expect(lines).toContain('  agencies  1: 0 responded within 7 days, 1 never; 0 requests pending')
    await expect(run('run', 'egp-rss')).rejects.toThrow('closed until 2026-11-23T11:00:00.000Z')
    await run('off', 'egp-rss')
    expect((await jobsOf(db, INTAKE_JOB_TYPE.kind)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
  })
})
