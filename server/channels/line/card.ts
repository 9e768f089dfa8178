import type { messagingApi } from '@line/bot-sdk'
import { DUE_TEXTS, type DueKind } from '#contract/catalogue/bid-state.ts'
import { timeLeft, type Urgency } from '#contract/catalogue/time-left.ts'
import { type ClockFacts, clockState } from '#contract/report/deadlines.ts'
import { bangkokToday, formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { morningCountsText } from '#server/channels/channel/channel-sender.ts'
import {
  AMBER,
  box,
  COLOUR,
  control,
  count,
  EMERALD,
  type FlexBox,
  type FlexComponent,
  MAX_DISPLAY_TEXT_LENGTH,
  money,
  openAction,
  pill,
  pressAction,
  primary,
  ROSE,
  SLATE,
  separator,
  TEAL,
  text,
  truncateText,
} from './flex-parts.ts'
import type { LineMessage } from './line-api.ts'
import type { LineAction } from './postback-token.ts'

export type CardProject = {
  readonly id: string
  readonly name: string
  readonly agency: string
  /** Baht; null means unknown. */
  readonly budget: number | null
  readonly kind: 'new' | DueKind | undefined
  readonly deadline: { readonly text: string; readonly urgency: Urgency } | undefined
  readonly isStarred: boolean
}

export type CardButtons = {
  press(action: LineAction, projectId: string): string
  page(path: string): string
}

export const MAX_CARD_PROJECTS = 3
/** Two lines show about sixty characters; six names of 600 would exceed LINE's card size. */
const MAX_NAME_LENGTH = 160
export type CardFacts = ClockFacts & Pick<CardProject, 'name' | 'agency' | 'budget'>

export function toCardProject(
  { name, agency, budget, ...dates }: CardFacts,
  { now, kind, isStarred = false }: { now: Date; kind?: CardProject['kind']; isStarred?: boolean },
): CardProject {
  const deadline = deadlineOf(dates, bangkokToday(now), now)
  const words = { name: truncateText(name, MAX_NAME_LENGTH), agency: truncateText(agency, MAX_DISPLAY_TEXT_LENGTH) }
  return { id: dates.project_id, ...words, budget, kind, deadline, isStarred }
}

function deadlineOf(row: ClockFacts, today: string, now: Date): CardProject['deadline'] {
  const state = clockState(row, now)
  if (state.kind !== 'counting') return undefined
  const { day, time, kind } = state.deadline
  const { text: timeLeftText, urgency, daysLeft } = timeLeft(day, time?.to, now)
  const date = urgency === 'urgent' ? '' : `${shortDay(day, today)} · `
  const hour = daysLeft === 1 && time ? ` · ${time.to} น.` : ''
  return { text: `${kind === 'comment' ? 'วิจารณ์ร่าง ' : ''}${date}${timeLeftText}${hour}`, urgency }
}

function shortDay(day: string, today: string): string {
  const full = formatThaiDateShort(day)
  return day.slice(0, 4) === today.slice(0, 4) ? full.slice(0, full.lastIndexOf(' ')) : full
}

const WEEKDAYS = ['อาทิตย์', 'จันทร์', 'อังคาร', 'พุธ', 'พฤหัสบดี', 'ศุกร์', 'เสาร์'] as const
const longDay = (iso: string) => `${WEEKDAYS[new Date(`${iso}T00:00:00Z`).getUTCDay()]} ${formatThaiDateShort(iso)}`

export type MorningCardData = {
  readonly day: string
  readonly newCount: number
  readonly closingCount: number
  readonly commentCount: number
  readonly projects: readonly CardProject[]
  readonly path: string
}

export function morningCard({ day, projects, path, ...morning }: MorningCardData, buttons: CardButtons): LineMessage {
  const counts = morningCountsText(morning)
  const total = morning.newCount + morning.closingCount + morning.commentCount
  return flex(`สรุปเช้า ${longDay(day)}: ${counts}`, {
    type: 'bubble',
    size: 'mega',
    header: head(`สรุปเช้า ${longDay(day)}`, counts),
    body: box('vertical', projectBlocks(projects, buttons), { paddingAll: 'none' }),
    footer: box('vertical', [primary(`ดูทั้ง ${count(total)} โครงการ  →`, buttons.page(path))], { paddingAll: '12px' }),
  })
}

export function projectCard(
  { title, note, projects }: { title: string; note?: string | undefined; projects: readonly CardProject[] },
  buttons: CardButtons | Pick<CardButtons, 'page'>,
): LineMessage {
  return flex(`${title}: ${projects.map(({ name }) => name).join(', ')}`, {
    type: 'bubble',
    size: 'mega',
    header: head(title, note),
    body: box('vertical', projectBlocks(projects, buttons), { paddingAll: 'none' }),
  })
}

export type CardNotification = {
  readonly text: string
  readonly detail: string
  readonly path: string
  readonly project: CardProject | undefined
}

/** Maximum items per card: with all buttons they stay below LINE's 30 kB. */
export const MAX_CARD_NOTIFICATIONS = 6

export function notificationsCard(
  { notifications, more }: { notifications: readonly CardNotification[]; more: number },
  buttons: CardButtons,
): LineMessage {
  const [first] = notifications
  const title = notifications.length + more === 1 ? first!.text : `มีเรื่องแจ้ง ${count(notifications.length + more)} เรื่อง`
  const blocks = notifications.flatMap(({ text: heading, detail, path, project }, at): FlexComponent[] => [
    ...(at > 0 ? [separator] : []),
    ...(notifications.length + more > 1
      ? [
          box(
            'vertical',
            [
              text(truncateText(heading, MAX_NAME_LENGTH), {
                size: 'xs',
                color: COLOUR.head,
                weight: 'bold',
                wrap: true,
              }),
            ],
            {
              paddingAll: '16px',
              paddingBottom: 'none',
            },
          ),
        ]
      : []),
    project
      ? projectBlock(project, buttons)
      : box(
          'vertical',
          [
            text(truncateText(detail || heading, MAX_NAME_LENGTH), {
              wrap: true,
              maxLines: 2,
              weight: 'bold',
              size: 'sm',
              color: COLOUR.ink,
            }),
            box('horizontal', [control('↗ เปิด', TEAL, openAction('เปิด', buttons.page(path)))], { margin: 'md' }),
          ],
          { paddingAll: '16px' },
        ),
  ])
  return flex(`${title}: ${notifications.map(({ detail, text: heading }) => detail || heading).join(', ')}`, {
    type: 'bubble',
    size: 'mega',
    header: head(title, undefined),
    body: box('vertical', blocks, { paddingAll: 'none' }),
    ...(more > 0 && {
      footer: box('vertical', [primary(`ดูอีก ${count(more)} เรื่องในระบบ  →`, buttons.page('/report'))], {
        paddingAll: '12px',
      }),
    }),
  })
}

export function replyCard(message: string, button?: { readonly label: string; readonly action: messagingApi.Action }) {
  if (!button) return { type: 'text', text: message } satisfies LineMessage
  return flex(message, {
    type: 'bubble',
    size: 'kilo',
    body: box('vertical', [text(message, { wrap: true, size: 'sm', color: COLOUR.ink })], { paddingAll: '14px' }),
    footer: box('vertical', [control(button.label, TEAL, button.action)], { paddingAll: '12px', paddingTop: 'none' }),
  })
}

const flex = (altText: string, contents: messagingApi.FlexContainer): LineMessage => ({
  type: 'flex',
  altText: truncateText(altText, 400),
  contents,
})

const head = (line: string, title: string | undefined): FlexBox =>
  box(
    'vertical',
    [
      text(line, {
        size: title === undefined ? 'md' : 'sm',
        color: title === undefined ? COLOUR.white : COLOUR.headSoft,
      }),
      ...(title === undefined ? [] : [text(title, { size: 'xl', weight: 'bold', color: COLOUR.white, wrap: true })]),
    ],
    { backgroundColor: COLOUR.head, paddingAll: '16px' },
  )

const projectBlocks = (projects: readonly CardProject[], buttons: CardButtons | Pick<CardButtons, 'page'>) =>
  projects.flatMap((project, at): FlexComponent[] => [...(at > 0 ? [separator] : []), projectBlock(project, buttons)])

function projectBlock(project: CardProject, buttons: CardButtons | Pick<CardButtons, 'page'>): FlexBox {
  const { kind, deadline, name, agency, budget } = project
  const urgency = deadline?.urgency
  const due = urgency === 'urgent' ? ROSE.ink : urgency === 'soon' ? AMBER.ink : COLOUR.muted
  const marks: FlexComponent[] = [
    ...(kind
      ? [pill(kind === 'new' ? 'ใหม่' : DUE_TEXTS[kind], kind === 'new' ? EMERALD : urgency === 'soon' ? AMBER : ROSE)]
      : []),
    text(deadline?.text ?? 'ไม่มีวันสิ้นสุดยื่น', {
      size: 'xs',
      align: kind ? 'end' : 'start',
      gravity: 'center',
      color: due,
      ...(urgency && urgency !== 'plain' && { weight: 'bold' }),
    }),
  ]
  return box(
    'vertical',
    [
      box('horizontal', marks, { alignItems: 'center' }),
      text(name, { wrap: true, maxLines: 2, weight: 'bold', size: 'sm', color: COLOUR.ink, margin: 'sm' }),
      box('horizontal', [text(agency || 'ไม่ระบุหน่วยงาน', { size: 'xs', color: COLOUR.muted, flex: 3 }), money(budget)]),
      box('horizontal', controls(project, buttons), { spacing: 'sm', margin: 'md' }),
    ],
    { paddingAll: '16px' },
  )
}

function controls(
  { id, name, isStarred }: CardProject,
  buttons: CardButtons | Pick<CardButtons, 'page'>,
): FlexComponent[] {
  const open = control('↗ เปิด', TEAL, openAction('เปิด', buttons.page(`/report/${encodeURIComponent(id)}`)), 3)
  // Cards in groups neither show nor change personal marks.
  if (!('press' in buttons)) return [open]
  const star = isStarred
    ? control('★ ติดดาวแล้ว', AMBER, pressAction('เอาดาวออก', buttons.press('unstar', id), `เอาดาวออก: ${name}`), 5)
    : control('☆ ติดดาว', SLATE, pressAction('ติดดาว', buttons.press('star', id), `ติดดาว: ${name}`), 4)
  const hide = control('ไม่สนใจ', SLATE, pressAction('ไม่สนใจ', buttons.press('hide', id), `ไม่สนใจ: ${name}`), 4)
  return [star, hide, open]
}
