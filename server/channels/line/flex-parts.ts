import type { messagingApi } from '@line/bot-sdk'
import { groupDigits } from '#contract/thai/thai-number.ts'

export type LineFlexBox = messagingApi.FlexBox
export type LineFlexComponent = messagingApi.FlexComponent

/** Light theme colours: LINE cards have no dark mode. */
export const LINE_CARD_COLOURS = {
  head: '#0f766e',
  headSoft: '#ccfbf1',
  ink: '#0f172a',
  muted: '#475569',
  line: '#e2e8f0',
  control: '#cbd5e1',
  white: '#ffffff',
} as const
type Tone = { readonly ink: string; readonly ground: string; readonly line: string }
export const LINE_CARD_ROSE_TONE: Tone = { ink: '#be123c', ground: '#fff1f2', line: '#fecdd3' }
export const LINE_CARD_AMBER_TONE: Tone = { ink: '#b45309', ground: '#fffbeb', line: '#fde68a' }
export const LINE_CARD_EMERALD_TONE: Tone = { ink: '#047857', ground: '#ecfdf5', line: '#a7f3d0' }
export const LINE_CARD_SLATE_TONE: Tone = {
  ink: LINE_CARD_COLOURS.muted,
  ground: LINE_CARD_COLOURS.white,
  line: LINE_CARD_COLOURS.control,
}
export const LINE_CARD_TEAL_TONE: Tone = { ink: LINE_CARD_COLOURS.head, ground: '#f0fdfa', line: '#99f6e4' }

/** Maximum length of the text that a button press posts in the chat, well below LINE's limit of 300 characters. */
export const MAX_LINE_DISPLAY_TEXT_LENGTH = 90

export const createLineFlexText = (
  words: string,
  look: Omit<messagingApi.FlexText, 'type' | 'text'> = {},
): messagingApi.FlexText => ({
  type: 'text',
  text: words,
  ...look,
})

export const createLineFlexBox = (
  layout: messagingApi.FlexBox['layout'],
  contents: LineFlexComponent[],
  look: Omit<LineFlexBox, 'type' | 'layout' | 'contents'> = {},
): LineFlexBox => ({ type: 'box', layout, contents, ...look })

export const formatLineCardCount = (n: number) => n.toLocaleString('en-US')
export const truncateLineCardText = (words: string, maxLength: number) =>
  words.length <= maxLength ? words : `${words.slice(0, maxLength - 1).toWellFormed()}…`

export const LINE_FLEX_SEPARATOR = { type: 'separator', color: LINE_CARD_COLOURS.line } as const

/** A button drawn from boxes, because native Flex buttons cannot be styled. */
export const createOutlinedLineFlexButton = (
  label: string,
  { ink, ground, line }: Tone,
  action: messagingApi.Action,
  share = 1,
): LineFlexBox =>
  createLineFlexBox(
    'vertical',
    [
      createLineFlexText(label, {
        size: 'sm',
        align: 'center',
        color: ink,
        weight: ground === LINE_CARD_COLOURS.white ? 'regular' : 'bold',
      }),
    ],
    {
      ...{ flex: share, action, backgroundColor: ground, borderColor: line, borderWidth: '1px' },
      ...{ cornerRadius: '6px', paddingTop: '10px', paddingBottom: '10px', paddingStart: '4px', paddingEnd: '4px' },
    },
  )

/** A quiet button of few bytes: six cards with three of them must fit LINE's limit of 30 kB. */
export const createCompactLineFlexButton = (label: string, action: messagingApi.Action): LineFlexBox =>
  createLineFlexBox(
    'vertical',
    [createLineFlexText(label, { size: 'sm', align: 'center', color: LINE_CARD_COLOURS.muted })],
    { action, borderColor: LINE_CARD_COLOURS.line, borderWidth: '1px', cornerRadius: '6px', paddingAll: '10px' },
  )

export const createPrimaryLineFlexButton = (label: string, uri: string): LineFlexBox =>
  createLineFlexBox(
    'vertical',
    [createLineFlexText(label, { align: 'center', color: LINE_CARD_COLOURS.white, weight: 'bold', size: 'sm' })],
    {
      ...{
        action: createLineUriAction('ดูทั้งหมด', uri),
        backgroundColor: LINE_CARD_COLOURS.head,
        cornerRadius: '6px',
        paddingAll: '12px',
      },
    },
  )

export const createLineFlexStatusPill = (label: string, { ink, ground, line }: Tone): LineFlexBox =>
  createLineFlexBox('vertical', [createLineFlexText(label, { size: 'xs', color: ink, align: 'center' })], {
    ...{ flex: 0, backgroundColor: ground, borderColor: line, borderWidth: '1px', cornerRadius: 'xxl' },
    ...{ paddingStart: '10px', paddingEnd: '10px', paddingTop: '2px', paddingBottom: '2px' },
  })

const MILLION = 1_000_000

export function createLineFlexBudget(baht: number | null): LineFlexComponent {
  const look = { size: 'xs', align: 'end', flex: 2, color: LINE_CARD_COLOURS.ink } as const
  if (baht === null) return createLineFlexText('ไม่ระบุงบ', { ...look, color: LINE_CARD_COLOURS.muted })
  const [figure, unit] =
    baht >= MILLION ? [groupDigits(baht / MILLION, 2, 2), 'ล้านบาท'] : [groupDigits(baht, 0, 2), 'บาท']
  return {
    type: 'text',
    ...look,
    contents: [
      { type: 'span', text: figure, weight: 'bold' },
      { type: 'span', text: ` ${unit}` },
    ],
  }
}

export const createLinePostbackAction = (label: string, data: string, spoken: string): messagingApi.Action => ({
  type: 'postback',
  label,
  data,
  displayText: truncateLineCardText(spoken, MAX_LINE_DISPLAY_TEXT_LENGTH),
})

export const createLineUriAction = (label: string, uri: string): messagingApi.Action => ({ type: 'uri', label, uri })
