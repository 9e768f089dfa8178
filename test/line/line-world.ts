import sql from 'sql-template-tag'
import {
  hashLineConnectCode,
  LINE_CONNECT_COMMAND,
  LINE_CONNECT_GROUP_COMMAND,
} from '#server/channels/line/connect-code.ts'
import { lineEventJob } from '#server/channels/line/event-job.ts'
import { createLineDependencies, type LineDependencies } from '#server/channels/line/line-dependencies.ts'
import { storeLineGroupConnectCode } from '#server/channels/line/line-group-queries.ts'
import { createLineSender } from '#server/channels/line/line-sender.ts'
import { storeLineConnectCode } from '#server/channels/line/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { runDue } from '../jobs.ts'
import { TEST_SECRET } from '../server/http-app.ts'
import { sendDueMessages } from '../world/channel-world.ts'
import { BASE_URL } from '../world/report-mail-world.ts'
import type { LineEvent, LinePerson, LineServer, SentMessage } from './line-server.ts'

export type Owner = { readonly userId: number; readonly organisationId: number }

export const createTestLineDependencies = (line: LineServer, timeoutMs?: number): LineDependencies =>
  createLineDependencies(
    line.settings(timeoutMs),
    [TEST_SECRET],
    createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => BASE_URL }),
  )

/** A LINE chat between a person and the product. Each message arrives by webhook, and its job runs at once. */
export class LineChat {
  readonly #app: RouteApp
  readonly #db: Db
  readonly line: LineServer
  readonly parts: LineDependencies
  now: Date

  constructor(app: RouteApp, db: Db, line: LineServer, now: Date) {
    this.#app = app
    this.#db = db
    this.line = line
    this.parts = createTestLineDependencies(line)
    this.now = now
    line.now = () => this.now.getTime()
  }

  async deliver(...events: readonly LineEvent[]): Promise<SentMessage[]> {
    const before = this.line.replies.length
    const answer = await this.#app.inject(this.line.webhook(events))
    if (answer.statusCode !== 200) throw new Error(`webhook: ${answer.statusCode} ${answer.body}`)
    await this.work()
    return this.line.replies.slice(before).flatMap(({ messages }) => messages)
  }

  work(): Promise<number> {
    return runDue(lineEventJob, { db: this.#db, now: this.now, parts: { line: this.parts } })
  }

  async says(person: { readonly id: string }, text: string, group?: string): Promise<string> {
    return joinMessageTexts(await this.deliver(this.line.message(person, text, group)))
  }

  async presses(person: { readonly id: string }, data: string): Promise<SentMessage[]> {
    return this.deliver(this.line.postback(person, data))
  }

  async giveCode(owner: Owner, code: string, until = new Date(this.now.getTime() + 600_000)): Promise<void> {
    await this.#db.transaction((tx) =>
      storeLineConnectCode(tx, owner, hashLineConnectCode(LINE_CONNECT_COMMAND, code), until),
    )
  }

  async giveGroupCode(owner: Owner, code: string): Promise<void> {
    const until = new Date(this.now.getTime() + 600_000)
    await this.#db.transaction((tx) =>
      storeLineGroupConnectCode(tx, owner, hashLineConnectCode(LINE_CONNECT_GROUP_COMMAND, code), until),
    )
  }

  async connect(owner: Owner, person: LinePerson, code = 'AAAA-2222'): Promise<string> {
    await this.giveCode(owner, code)
    const offered = await this.deliver(this.line.message(person, `เชื่อมบัญชี ${code}`))
    const event = this.line.openAccountLink(person, findLinkUrl(offered)!)
    if (!event) throw new Error(`LINE refused the account link: ${JSON.stringify(offered)}`)
    return joinMessageTexts(await this.deliver(event))
  }

  send(now = this.now): Promise<number> {
    return sendDueMessages(this.#db, [createLineSender(this.parts)], now)
  }
}

export function joinMessageTexts(messages: readonly SentMessage[]): string {
  return messages.map((message) => textsIn(message.contents ?? message).join(' | ')).join(' || ')
}

function textsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  if (Array.isArray(part)) return part.flatMap(textsIn)
  const { type, text, contents, header, body, footer } = part as Record<string, unknown>
  if (type === 'span') return [String(text)]
  if (type === 'text') return [typeof text === 'string' ? text : textsIn(contents).join('')]
  return [header, body, contents, footer].flatMap(textsIn)
}

type Action = {
  readonly type: string
  readonly label: string
  readonly data?: string
  readonly uri?: string
  readonly displayText?: string
}

export function listActions(messages: readonly SentMessage[]): Action[] {
  const actions: Action[] = []
  JSON.stringify(messages, (key, value: unknown) => {
    if (key === 'action') actions.push(value as Action)
    return value
  })
  return actions
}

export const findLinkUrl = (messages: readonly SentMessage[]): string | undefined =>
  listActions(messages).find(({ uri }) => uri?.startsWith('https://access.line.me/'))?.uri

export const getPostbackData = (messages: readonly SentMessage[], label: string, at = 0): string =>
  listActions(messages).filter((action) => action.label === label)[at]!.data!

export async function loadMarks(
  db: Db,
  userId: number,
): Promise<{ stars: string[]; hidden: string[]; decided: string[] }> {
  const ids = async (table: ReturnType<typeof sql>) =>
    (
      await db.query<{ id: string }>(
        sql`select distinct project_id as id from ${table} where user_id = ${userId}::int order by 1`,
      )
    ).map(({ id }) => id)
  return {
    stars: await ids(sql`bookmarks`),
    hidden: await ids(sql`hidden_projects`),
    decided: await ids(sql`queue_decisions`),
  }
}
