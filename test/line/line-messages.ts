/** Returns the first violation of LINE's Messaging API reference in these messages, or undefined. */
export function findMessageFault(messages: unknown): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return 'The request body has 1 error(s): messages'
  if (messages.length > 5) return 'Size must be between 1 and 5: messages'
  for (const [at, message] of messages.entries()) {
    const fault = faultOf(message as Part)
    if (fault) return `messages[${at}]: ${fault}`
  }
  return undefined
}

type Part = Readonly<Record<string, unknown>>

const BUBBLE_BYTES = 30_000
const ALT_TEXT = 400
const SIZES = ['xxs', 'xs', 'sm', 'md', 'lg', 'xl', 'xxl', '3xl', '4xl', '5xl']
const SPACES = ['none', 'xs', 'sm', 'md', 'lg', 'xl', 'xxl']
const COLOUR = /^#[0-9a-f]{6}([0-9a-f]{2})?$/i

function faultOf(message: Part): string | undefined {
  if (message.type === 'text') return isText(message.text, 5_000) ? undefined : 'text'
  if (message.type !== 'flex') return 'type'
  if (!isText(message.altText, ALT_TEXT)) return 'altText'
  const bubble = message.contents as Part
  if (bubble?.type !== 'bubble') return 'contents'
  if (Buffer.byteLength(JSON.stringify(bubble)) > BUBBLE_BYTES) return 'at most 30 kB'
  if (
    bubble.size !== undefined &&
    !['nano', 'micro', 'deca', 'hecto', 'kilo', 'mega', 'giga'].includes(String(bubble.size))
  )
    return 'size'
  for (const block of ['header', 'body', 'footer']) {
    const part = bubble[block] as Part | undefined
    if (part === undefined) continue
    const fault = part.type === 'box' ? boxFault(part) : 'must be a box'
    if (fault) return `${block}/${fault}`
  }
  return undefined
}

const isText = (value: unknown, maxLength: number) =>
  typeof value === 'string' && value.length > 0 && value.length <= maxLength

function boxFault(box: Part): string | undefined {
  if (!['vertical', 'horizontal', 'baseline'].includes(String(box.layout))) return 'layout'
  if (!Array.isArray(box.contents)) return 'contents'
  for (const [name, value] of Object.entries(box))
    if (/^(padding|margin|spacing|cornerRadius)/.test(name) && !isSpace(value)) return `${name} ${String(value)}`
  for (const name of ['backgroundColor', 'borderColor'])
    if (box[name] !== undefined && !COLOUR.test(String(box[name]))) return name
  for (const [at, part] of (box.contents as Part[]).entries()) {
    const fault = partFault(part, String(box.layout))
    if (fault) return `contents[${at}]/${fault}`
  }
  return box.action === undefined ? undefined : actionFault(box.action as Part)
}

const isSpace = (value: unknown) => SPACES.includes(String(value)) || /^\d{1,3}(px|%)$/.test(String(value))

function partFault(part: Part, layout: string): string | undefined {
  switch (part.type) {
    case 'box':
      return layout === 'baseline' ? 'no box in a baseline box' : boxFault(part)
    case 'separator':
      return undefined
    case 'text': {
      const spans = part.contents as Part[] | undefined
      if (!isText(part.text, 2_000) && !spans?.every((span) => span.type === 'span' && isText(span.text, 2_000)))
        return 'text must be non-empty'
      if (part.size !== undefined && !SIZES.includes(String(part.size)) && !/^\d{1,3}px$/.test(String(part.size)))
        return 'size'
      if (part.color !== undefined && !COLOUR.test(String(part.color))) return 'color'
      if (part.margin !== undefined && !isSpace(part.margin)) return 'margin'
      return part.action === undefined ? undefined : actionFault(part.action as Part)
    }
    case 'button':
      return actionFault((part.action ?? {}) as Part)
    default:
      return `type ${String(part.type)}`
  }
}

function actionFault({ type, label, data, displayText, uri }: Part): string | undefined {
  if (label !== undefined && !isText(label, 40)) return 'action/label'
  if (type === 'uri')
    return isText(uri, 1_000) && /^(https?|line|tel|mailto):/.test(String(uri)) ? undefined : 'action/uri'
  if (type !== 'postback') return 'action/type'
  if (!isText(data, 300)) return 'action/data'
  return displayText === undefined || isText(displayText, 300) ? undefined : 'action/displayText'
}
