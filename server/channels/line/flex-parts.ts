import type { messagingApi } from '@line/bot-sdk'
import { groupDigits } from '#contract/thai/thai-number.ts'

export type FlexBox = messagingApi.FlexBox
export type FlexComponent = messagingApi.FlexComponent

/** Light theme colours: LINE cards have no dark mode. */
export const COLOUR = {
  head: '#0f766e',
  headSoft: '#ccfbf1',
  ink: '#0f172a',
  muted: '#475569',
  line: '#e2e8f0',
  control: '#cbd5e1',
  white: '#ffffff',
} as const
type Tone = { readonly ink: string; readonly ground: string; readonly line: string }
export const ROSE: Tone = { ink: '#be123c', ground: '#fff1f2', line: '#fecdd3' }
export const AMBER: Tone = { ink: '#b45309', ground: '#fffbeb', line: '#fde68a' }
export const EMERALD: Tone = { ink: '#047857', ground: '#ecfdf5', line: '#a7f3d0' }
export const SLATE: Tone = { ink: COLOUR.muted, ground: COLOUR.white, line: COLOUR.control }
export const TEAL: Tone = { ink: COLOUR.head, ground: '#f0fdfa', line: '#99f6e4' }

/** LINE allows 300 characters in the text that a button press posts in the chat. */
export const MAX_DISPLAY_TEXT_LENGTH = 90

export const text = (
  words: string,
  look: Omit<messagingApi.FlexText, 'type' | 'text'> = {},
): messagingApi.FlexText => ({
  type: 'text',
  text: words,
  ...look,
})

export const box = (
  layout: messagingApi.FlexBox['layout'],
  contents: FlexComponent[],
  look: Omit<FlexBox, 'type' | 'layout' | 'contents'> = {},
): FlexBox => ({ type: 'box', layout, contents, ...look })

export const count = (n: number) => n.toLocaleString('en-US')
/** Does not cut through a surrogate pair. */
export const truncateText = (words: string, maxLength: number) =>
  words.length <= maxLength ? words : `${words.slice(0, maxLength - 1).toWellFormed()}…`

export const separator = { type: 'separator', color: COLOUR.line } as const

/** A button drawn from boxes, because native Flex buttons cannot be styled. */
export const control = (label: string, { ink, ground, line }: Tone, action: messagingApi.Action, share = 1): FlexBox =>
  box(
    'vertical',
    [text(label, { size: 'sm', align: 'center', color: ink, weight: ground === COLOUR.white ? 'regular' : 'bold' })],
    {
      ...{ flex: share, action, backgroundColor: ground, borderColor: line, borderWidth: '1px' },
      ...{ cornerRadius: '6px', paddingTop: '10px', paddingBottom: '10px', paddingStart: '4px', paddingEnd: '4px' },
    },
  )

export const primary = (label: string, uri: string): FlexBox =>
  box('vertical', [text(label, { align: 'center', color: COLOUR.white, weight: 'bold', size: 'sm' })], {
    ...{ action: openAction('ดูทั้งหมด', uri), backgroundColor: COLOUR.head, cornerRadius: '6px', paddingAll: '12px' },
  })

export const pill = (label: string, { ink, ground, line }: Tone): FlexBox =>
  box('vertical', [text(label, { size: 'xs', color: ink, align: 'center' })], {
    ...{ flex: 0, backgroundColor: ground, borderColor: line, borderWidth: '1px', cornerRadius: 'xxl' },
    ...{ paddingStart: '10px', paddingEnd: '10px', paddingTop: '2px', paddingBottom: '2px' },
  })

const MILLION = 1_000_000

export function money(baht: number | null): FlexComponent {
  const look = { size: 'xs', align: 'end', flex: 2, color: COLOUR.ink } as const
  if (baht === null) return text('ไม่ระบุงบ', { ...look, color: COLOUR.muted })
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

export const pressAction = (label: string, data: string, spoken: string): messagingApi.Action => ({
  type: 'postback',
  label,
  data,
  displayText: truncateText(spoken, MAX_DISPLAY_TEXT_LENGTH),
})

export const openAction = (label: string, uri: string): messagingApi.Action => ({ type: 'uri', label, uri })
