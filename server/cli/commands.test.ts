import { describe, expect, test } from 'vitest'
import type { AdminAnswer, AdminRequest, RetireRequest } from '#server/features/admin/admin-requests.ts'
import { adminCommand } from './admin.ts'
import { archiveCommand } from './archive.ts'
import { documentsCommand } from './documents.ts'
import { helpOf } from './help.ts'
import { readImportArgs } from './import.ts'
import { repartitionCommand } from './repartition.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './terminal.ts'

describe('import', () => {
  test('takes one file and a source', () => {
    expect(readImportArgs(['a.csv'])).toEqual({ file: 'a.csv', source: undefined })
    expect(readImportArgs(['--source', 'ocds', 'a.json'])).toEqual({ file: 'a.json', source: 'ocds' })
  })

  test.each([[[]], [['a.csv', 'b.csv']], [['a.csv', '--sauce', 'x']], [['a.csv', '--source']]])(
    'says how it goes when typed as %j',
    (args) => {
      expect(() => readImportArgs(args)).toThrow(UsageError)
    },
  )
})

describe('archive', () => {
  const NOW = new Date('2026-11-27T03:00:00Z')
  async function run(args: string[], divided = 7) {
    const asked: unknown[] = []
    const lines: string[] = []
    const terminal: Terminal = { isTty: false, log: (line) => lines.push(line), redraw: () => undefined }
    const report = { divided, rows: 12_000, seconds: 2, longestSwapMs: 31 }
    const table = { table: 'projects', rows: 4_000, older: 1_000, bytes: 8 * 2 ** 20, olderBytes: 2 * 2 ** 20 } as const
    await archiveCommand(
      args,
      {
        async look(before) {
          asked.push(before)
          const partitions = [{ name: 'projects_before_2560', bytes: 2 ** 20 }]
          return {
            tables: [
              { ...table, partitions },
              { ...table, table: 'contracts', partitions: [] },
            ],
            delivered: 990,
          }
        },
        async archive({ onProgress, ...request }) {
          asked.push(request)
          onProgress?.({ partition: 'contracts', done: 1, total: 7, rows: 12_000, phase: 'validate' })
          return report
        },
        async dissolve() {
          asked.push('dissolve')
          return report
        },
        async giveUp() {
          asked.push('give up')
        },
      },
      terminal,
      NOW,
    )
    return { asked, lines }
  }

  test('says how much it would be, where it is, and what it did', async () => {
    expect(await run(['--years', '5', '--dry-run'])).toEqual({
      asked: [2564],
      lines: [
        'projects: 1,000 of 4,000 rows, about 2 MB of 8 MB (projects_before_2560 1 MB)',
        'contracts: 1,000 of 4,000 rows, about 2 MB of 8 MB',
        'from before 2564: 1,000 projects, 990 of them delivered, about 4 MB of 16 MB; nothing was changed',
      ],
    })
    expect(await run(['--years', '3', '--tablespace', 'cold'])).toEqual({
      asked: [{ before: 2566, tablespace: 'cold' }],
      lines: [
        '2 of 7: contracts, 12,000 rows, reading the references once more',
        '7 tables exchanged, 12,000 rows copied, in 2.0 s; a table was held for 31 ms at most',
      ],
    })
    expect((await run(['--years', '3'], 0)).lines.at(-1)).toBe(
      'nothing from before 2566 lies among what is newer: nothing to do',
    )
    expect(await run(['--undo'])).toMatchObject({ asked: ['dissolve'] })
    expect((await run(['--undo'], 0)).lines).toEqual(['there is no archive: nothing to do'])
    expect(await run(['--give-up'])).toMatchObject({ asked: ['give up'] })
  })

  test.each([
    [[]],
    [['--years', 'many']],
    [['--years', '0']],
    [['--years', '2.5']],
    [['--years', '3', '--undo']],
    [['--dry-run']],
    [['--undo', '--give-up']],
    [['--undo', '--tablespace', 'cold']],
    [['--now']],
    [['5']],
  ])('says how it goes when typed as %j', async (args) => {
    await expect(run(args)).rejects.toThrow(UsageError)
  })
})

describe('repartition', () => {
  async function run(args: string[], divided = 16) {
    const asked: unknown[] = []
    const lines: string[] = []
    const terminal: Terminal = { isTty: false, log: (line) => lines.push(line), redraw: () => undefined }
    await repartitionCommand(
      args,
      {
        async split(partitions, onProgress) {
          asked.push(partitions)
          const of = { partition: 'project_matches_3', done: 3, total: 16, rows: 12_000 }
          for (const phase of ['copy', 'copy', 'wait', 'wait'] as const) onProgress({ ...of, phase })
          return { divided, rows: 12_000, seconds: 2, longestSwapMs: 31 }
        },
        async giveUp() {
          asked.push('give up')
        },
      },
      terminal,
    )
    return { asked, lines }
  }

  test('says where it is, and what it did', async () => {
    expect(await run(['64'])).toEqual({
      asked: [64],
      lines: [
        '4 of 16: project_matches_3, 12,000 rows, copying',
        '4 of 16: project_matches_3, 12,000 rows, waiting for those who still look at a moment before the copy',
        '16 partitions divided, 12,000 rows, in 2.0 s; the table was held for 31 ms at most',
      ],
    })
    expect((await run(['64'], 0)).lines.at(-1)).toBe('there are 64 partitions or more already: nothing to do')
    expect(await run(['--give-up'])).toMatchObject({ asked: ['give up'] })
  })

  test.each([[[]], [['many']], [['0']], [['64', '128']], [['64', '--give-up']], [['--now']]])(
    'says how it goes when typed as %j',
    async (args) => {
      await expect(run(args)).rejects.toThrow(UsageError)
    },
  )
})

describe('admin', () => {
  async function run(args: string[]): Promise<{ asked: (AdminRequest | RetireRequest)[]; lines: string[] }> {
    const asked: (AdminRequest | RetireRequest)[] = []
    const lines: string[] = []
    const terminal: Terminal = { isTty: false, log: (line) => lines.push(line), redraw: () => undefined }
    const administer = async (request: AdminRequest | RetireRequest): Promise<AdminAnswer> => {
      asked.push(request)
      if (request.do === 'create-user') return { createdUser: request.email, password: 'Shown#Once7' }
      return {
        users: [
          {
            email: 'a@x.example',
            name: 'ปวีณา',
            role: 'super_user',
            organisation: 'x',
            isDisabled: true,
            isAccountDisabled: true,
            lastUsedAt: null,
          },
          {
            email: 'long@x.example',
            name: 'กฤต',
            role: 'member_user',
            organisation: 'x',
            isDisabled: false,
            isAccountDisabled: false,
            lastUsedAt: null,
          },
        ],
      }
    }
    await adminCommand(args, administer, terminal, async () => 'Typed#2569')
    return { asked, lines }
  }

  test('prints users in columns that line up, Thai marks counted as no width', async () => {
    const { asked, lines } = await run(['users', 'x'])
    expect(asked).toEqual([{ do: 'users', organisation: 'x' }])
    expect(lines).toEqual([
      'e-mail          name  role         organisation  last used  disabled',
      'a@x.example     ปวีณา  super_user   x                        yes',
      'long@x.example  กฤต   member_user  x',
    ])
  })

  test('asks for a password instead of taking it as an argument', async () => {
    const { asked } = await run(['set-password', 'a@x.example'])
    expect(asked).toEqual([{ do: 'set-password', email: 'a@x.example', password: 'Typed#2569' }])
  })

  test.each<[string[], AdminRequest | RetireRequest]>([
    [['mails'], { do: 'mails' }],
    [['show', 'x'], { do: 'show', organisation: 'x' }],
    [
      ['create-organisation', 'x', 'บริษัท เอ็กซ์'],
      { do: 'create-organisation', code: 'x', name: 'บริษัท เอ็กซ์', package: undefined },
    ],
    [
      ['create-organisation', 'x', 'n', '--package', 'p'],
      { do: 'create-organisation', code: 'x', name: 'n', package: 'p' },
    ],
    [['disable-organisation', 'x'], { do: 'set-organisation-disabled', organisation: 'x', disabled: true }],
    [['enable-user', 'a@x'], { do: 'set-user-disabled', email: 'a@x', disabled: false }],
    [['set-flag', 'x', 'budget-year', 'off'], { do: 'set-flag', organisation: 'x', flag: 'budget-year', on: false }],
    [['set-limit', 'x', 'ai-include', '7'], { do: 'set-limit', organisation: 'x', limit: 'ai-include', most: 7 }],
    [['set-budget-years', 'x', '2568,2569'], { do: 'set-budget-years', organisation: 'x', years: [2568, 2569] }],
    [['set-budget-years', 'x', 'none'], { do: 'set-budget-years', organisation: 'x', years: [] }],
    [
      ['set-window', 'x', '22:30', '05:15'],
      { do: 'set-window', organisation: 'x', window: { start: '22:30', end: '05:15' } },
    ],
    [['set-window', 'x', 'off'], { do: 'set-window', organisation: 'x', window: undefined }],
    [['rematch', 'x'], { do: 'rematch', organisation: 'x' }],
    [['waiting'], { do: 'waiting' }],
    [['approve-keyword', '17'], { do: 'judge-keyword', id: 17, approve: true }],
    [['reject-keyword', '17'], { do: 'judge-keyword', id: 17, approve: false }],
    [['blacklist'], { do: 'blacklist' }],
    [['blacklist', 'add', 'จำนวน'], { do: 'change-blacklist', word: 'จำนวน', add: true }],
    [['blacklist', 'remove', 'จำนวน'], { do: 'change-blacklist', word: 'จำนวน', add: false }],
    [['remove-second-factor', 'a@x'], { do: 'remove-second-factor', email: 'a@x' }],
    [['set-role', 'a@x', 'super_user'], { do: 'set-role', email: 'a@x', role: 'super_user' }],
    [['set-max-labels', 'a@x', '30'], { do: 'set-max-labels', email: 'a@x', most: 30 }],
    [
      ['create-user', 'x', 'a@x', '--first-name', 'อนงค์', '--last-name', 'ใจดี'],
      { do: 'create-user', organisation: 'x', email: 'a@x', firstName: 'อนงค์', lastName: 'ใจดี', role: 'member_user' },
    ],
  ])('%j asks for %j', async (args, request) => {
    expect((await run(args)).asked).toEqual([request])
  })

  test('shows a generated password once, on a line of its own', async () => {
    const { lines } = await run(['create-user', 'x', 'a@x', '--first-name', 'อนงค์', '--last-name', 'ใจดี'])
    expect(lines.filter((line) => line.includes('Shown#Once7'))).toEqual(['Shown#Once7'])
  })

  test('helps with examples, and asks for nothing then', async () => {
    const { asked, lines } = await run(['--help'])
    expect(asked).toEqual([])
    expect(lines.join('\n')).toMatch(/^(?=[\s\S]*examples:)[\s\S]*create-user/)
  })

  test.each([
    [[]],
    [['nonsense']],
    [['constructor']],
    [['set-password']],
    [['set-password', 'a@x', 'secret']],
    [['set-flag', 'x', 'everything', 'on']],
    [['set-flag', 'x', 'budget-year', 'maybe']],
    [['set-limit', 'x', 'include', '-1']],
    [['set-limit', 'x', 'include', 'many']],
    [['set-budget-years', 'x', '2026']],
    [['set-window', 'x', 'never']],
    [['set-window', 'x', '01:00']],
    [['set-window', 'x', '1:00', '09:00']],
    [['set-window', 'x', '24:00', '09:00']],
    [['approve-keyword', 'กล้อง']],
    [['reject-keyword', '0']],
    [['blacklist', 'add']],
    [['blacklist', 'forget', 'จำนวน']],
    [['set-role', 'a@x', 'owner']],
    [['create-user', 'x', 'a@x', '--first-name', 'อนงค์']],
    [['create-user', 'x', 'a@x', '--password', 'secret']],
  ])('says how it goes when typed as %j', async (args) => {
    await expect(run(args)).rejects.toThrow(UsageError)
  })
})

describe('--help', () => {
  test.each(['import', 'intake', 'documents', 'backup', 'restore', 'repartition', 'archive', 'load', 'admin'])(
    'has the usage of %s',
    (command) => {
      expect(helpOf(command)).toMatch(new RegExp(`^usage: npm run (-s )?${command}`))
    },
  )

  test('knows no other command', () => {
    expect([helpOf('serve'), helpOf('toString'), helpOf(undefined)]).toEqual([undefined, undefined, undefined])
  })
})

describe('documents', () => {
  test('prints the facts of a file as JSON', async () => {
    const lines: string[] = []
    const terminal: Terminal = { isTty: false, log: (line) => lines.push(line), redraw: () => undefined }
    const fact = { fact: 'agency', state: 'unsure', sentence: 'ประกาศกรมทดสอบ', page: 1, offset: 0 } as const
    const reading = { outcome: 'read', kind: 'invitation', pages: [{ text: 'ประกาศกรมทดสอบ' }], facts: [fact] } as const
    await documentsCommand(['facts', 'a.pdf'], async () => ({ ...reading, pages: [], facts: [fact] }), terminal)
    expect(JSON.parse(lines.join('\n'))).toEqual({
      kind: 'invitation',
      outcome: 'read',
      facts: [{ fact: 'agency', value: null, sure: false, page: 1, sentence: 'ประกาศกรมทดสอบ' }],
    })
    for (const args of [[], ['facts'], ['facts', '--x'], ['text', 'a.pdf'], ['facts', 'a', 'b']])
      await expect(
        documentsCommand(args, async () => ({ ...reading, pages: [], facts: [] }), terminal),
      ).rejects.toThrow(UsageError)
  })
})
