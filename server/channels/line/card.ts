import type { messagingApi } from '@line/bot-sdk'
import { NEAR_DEADLINE_TEXTS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import { type DeadlineUrgency, timeLeft } from '#contract/catalogue/time-left.ts'
import { type ClockFacts, deadlineClockState } from '#contract/report/deadlines.ts'
import { bangkokToday, formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { morningCountsText } from '#server/channels/channel/channel-sender.ts'
import {
  AMBER_TONE,
  CARD_COLOURS,
  EMERALD_TONE,
  type FlexBox,
  type FlexComponent,
  flexBox,
  flexBudget,
  flexSeparator,
  flexText,
  formatCardCount,
  MAX_DISPLAY_TEXT_LENGTH,
  openAction,
  outlinedButton,
  pressAction,
  primaryButton,
  ROSE_TONE,
  SLATE_TONE,
  statusPill,
  TEAL_TONE,
  truncateText,
} from './flex-parts.ts'
import type { LineMessage } from './line-api.ts'
import type { LineAction } from './postback-token.ts'

export type CardProject = {
  readonly id: string
  readonly name: string
  readonly agency: string
  /** In baht; null means unknown. */
  readonly budget: number | null
  readonly kind: 'new' | NearDeadlineKind | undefined
  readonly deadline: { readonly text: string; readonly urgency: DeadlineUrgency } | undefined
  readonly isStarred: boolean
}

export type CardButtons = {
  press(action: LineAction, projectId: string): string
  page(path: string): string
}

export const MAX_CARD_PROJECTS = 3
/** Maximum characters of a project name. Two lines show about sixty; six names of 600 would exceed LINE's card size. */
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
  const state = deadlineClockState(row, now)
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
    body: flexBox('vertical', projectBlocks(projects, buttons), { paddingAll: 'none' }),
    footer: flexBox('vertical', [primaryButton(`ดูทั้ง ${formatCardCount(total)} โครงการ  →`, buttons.page(path))], {
      paddingAll: '12px',
    }),
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
    body: flexBox('vertical', projectBlocks(projects, buttons), { paddingAll: 'none' }),
  })
}

export type CardNotification = {
  readonly text: string
  readonly detail: string
  readonly path: string
  readonly project: CardProject | undefined
}

/** Maximum notifications per card: with all buttons, six stay below LINE's 30 kB. */
export const MAX_CARD_NOTIFICATIONS = 6

export function notificationsCard(
  { notifications, more }: { notifications: readonly CardNotification[]; more: number },
  buttons: CardButtons,
): LineMessage {
  const [first] = notifications
  const title =
    notifications.length + more === 1 ? first!.text : `มีเรื่องแจ้ง ${formatCardCount(notifications.length + more)} เรื่อง`
  const blocks = notifications.flatMap(({ text: heading, detail, path, project }, at): FlexComponent[] => [
    ...(at > 0 ? [flexSeparator] : []),
    ...(notifications.length + more > 1
      ? [
          flexBox(
            'vertical',
            [
              flexText(truncateText(heading, MAX_NAME_LENGTH), {
                size: 'xs',
                color: CARD_COLOURS.head,
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
      : flexBox(
          'vertical',
          [
            flexText(truncateText(detail || heading, MAX_NAME_LENGTH), {
              wrap: true,
              maxLines: 2,
              weight: 'bold',
              size: 'sm',
              color: CARD_COLOURS.ink,
            }),
            flexBox('horizontal', [outlinedButton('↗ เปิด', TEAL_TONE, openAction('เปิด', buttons.page(path)))], {
              margin: 'md',
            }),
          ],
          { paddingAll: '16px' },
        ),
  ])
  return flex(`${title}: ${notifications.map(({ detail, text: heading }) => detail || heading).join(', ')}`, {
    type: 'bubble',
    size: 'mega',
    header: head(title, undefined),
    body: flexBox('vertical', blocks, { paddingAll: 'none' }),
    ...(more > 0 && {
      footer: flexBox(
        'vertical',
        [primaryButton(`ดูอีก ${formatCardCount(more)} เรื่องในระบบ  →`, buttons.page('/report'))],
        {
          paddingAll: '12px',
        },
      ),
    }),
  })
}

export function replyCard(message: string, button?: { readonly label: string; readonly action: messagingApi.Action }) {
  if (!button) return { type: 'text', text: message } satisfies LineMessage
  return flex(message, {
    type: 'bubble',
    size: 'kilo',
    body: flexBox('vertical', [flexText(message, { wrap: true, size: 'sm', color: CARD_COLOURS.ink })], {
      paddingAll: '14px',
    }),
    footer: flexBox('vertical', [outlinedButton(button.label, TEAL_TONE, button.action)], {
      paddingAll: '12px',
      paddingTop: 'none',
    }),
  })
}

const flex = (altText: string, contents: messagingApi.FlexContainer): LineMessage => ({
  type: 'flex',
  altText: truncateText(altText, 400),
  contents,
})

const head = (line: string, title: string | undefined): FlexBox =>
  flexBox(
    'vertical',
    [
      flexText(line, {
        size: title === undefined ? 'md' : 'sm',
        color: title === undefined ? CARD_COLOURS.white : CARD_COLOURS.headSoft,
      }),
      ...(title === undefined
        ? []
        : [flexText(title, { size: 'xl', weight: 'bold', color: CARD_COLOURS.white, wrap: true })]),
    ],
    { backgroundColor: CARD_COLOURS.head, paddingAll: '16px' },
  )

const projectBlocks = (projects: readonly CardProject[], buttons: CardButtons | Pick<CardButtons, 'page'>) =>
  projects.flatMap((project, at): FlexComponent[] => [
    ...(at > 0 ? [flexSeparator] : []),
    projectBlock(project, buttons),
  ])

function projectBlock(project: CardProject, buttons: CardButtons | Pick<CardButtons, 'page'>): FlexBox {
  const { kind, deadline, name, agency, budget } = project
  const urgency = deadline?.urgency
  const due = urgency === 'urgent' ? ROSE_TONE.ink : urgency === 'soon' ? AMBER_TONE.ink : CARD_COLOURS.muted
  const marks: FlexComponent[] = [
    ...(kind
      ? [
          statusPill(
            kind === 'new' ? 'ใหม่' : NEAR_DEADLINE_TEXTS[kind],
            kind === 'new' ? EMERALD_TONE : urgency === 'soon' ? AMBER_TONE : ROSE_TONE,
          ),
        ]
      : []),
    flexText(deadline?.text ?? 'ไม่มีวันสิ้นสุดยื่น', {
      size: 'xs',
      align: kind ? 'end' : 'start',
      gravity: 'center',
      color: due,
      ...(urgency && urgency !== 'plain' && { weight: 'bold' }),
    }),
  ]
  return flexBox(
    'vertical',
    [
      flexBox('horizontal', marks, { alignItems: 'center' }),
      flexText(name, { wrap: true, maxLines: 2, weight: 'bold', size: 'sm', color: CARD_COLOURS.ink, margin: 'sm' }),
      flexBox('horizontal', [
        flexText(agency || 'ไม่ระบุหน่วยงาน', { size: 'xs', color: CARD_COLOURS.muted, flex: 3 }),
        flexBudget(budget),
      ]),
      flexBox('horizontal', controls(project, buttons), { spacing: 'sm', margin: 'md' }),
    ],
    { paddingAll: '16px' },
  )
}

function controls(
  { id, name, isStarred }: CardProject,
  buttons: CardButtons | Pick<CardButtons, 'page'>,
): FlexComponent[] {
  const open = outlinedButton(
    '↗ เปิด',
    TEAL_TONE,
    openAction('เปิด', buttons.page(`/report/${encodeURIComponent(id)}`)),
    3,
  )
  // Cards in groups neither show nor change personal marks, so they have no buttons for them.
  if (!('press' in buttons)) return [open]
  const star = isStarred
    ? outlinedButton(
        '★ ติดดาวแล้ว',
        AMBER_TONE,
        pressAction('เอาดาวออก', buttons.press('unstar', id), `เอาดาวออก: ${name}`),
        5,
      )
    : outlinedButton('☆ ติดดาว', SLATE_TONE, pressAction('ติดดาว', buttons.press('star', id), `ติดดาว: ${name}`), 4)
  const hide = outlinedButton(
    'ไม่สนใจ',
    SLATE_TONE,
    pressAction('ไม่สนใจ', buttons.press('hide', id), `ไม่สนใจ: ${name}`),
    4,
  )
  return [star, hide, open]
}
