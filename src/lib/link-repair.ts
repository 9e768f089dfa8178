import { arabicDigits } from '#contract/thai/thai-letters.ts'

/**
 * Repairs URLs damaged by chats and mails: trailing words, brackets or quotes, invisible characters, tracking
 * parameters, double encoding. What cannot be repaired stays, and the screen reports what it could not read.
 */
type Parts = { readonly pathname: string; readonly search: string; readonly hash: string }

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const TRACKING =
  /^(?:utm_\w+|mtm_\w+|fbclid|gclid|gbraid|wbraid|dclid|msclkid|yclid|ttclid|twclid|igshid|igsh|mc_[ce]id|_g[al]|_hs\w+|mibextid|openExternalBrowser|openInAppBrowser|liff\.\w+)$/i
const CODE = /(?<![0-9a-z])[0-9a-hjkmnp-tv-z]{10}(?![0-9a-z])/
/** Chats end a link at the next space, so trailing garbage is punctuation or Thai text without a space before it. */
const SENTENCE_END = /(?<![\s"'“”‘’«»()[\]{}<>.,;:!?ๆฯ\u0e01-\u0e5b])[\s"'“”‘’«»()[\]{}<>.,;:!?ๆฯ\u0e01-\u0e5b]+$/u

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the only 11-digit number in a damaged segment; undefined if there is none or several. */
function projectIdIn(part: string): string | undefined {
  const found = new Set(arabicDigits(part).match(/(?<!\d)\d{11}(?!\d)/g))
  return found.size === 1 ? [...found][0] : undefined
}

function repairedPath(pathname: string): string {
  const plain = decoded(pathname).replace(INVISIBLE, '')
  const [, project] = /^\/report\/([^/]+)\/?$/.exec(plain) ?? []
  if (project !== undefined) {
    const id = projectIdIn(project)
    return id === undefined ? pathname : `/report/${id}`
  }
  const [, link] = /^\/s\/(.+)$/.exec(plain) ?? []
  if (link !== undefined) {
    const code = CODE.exec(link.trim())?.[0]
    return code === undefined ? pathname : `/s/${code}`
  }
  // A top-level screen with trailing text: /reportครับ, /watch).
  const bare = plain.replace(SENTENCE_END, '')
  return /^\/[a-z-]+$/.test(bare) && /^\/[a-z-]+[^a-z/-]+$/.test(plain) ? bare : pathname
}

/** True if every `%` starts an escape; false for `ลด 50%`. */
const isEncodedAgain = (value: string) => /%[0-9a-f]{2}/i.test(value) && !/%(?![0-9a-f]{2})/i.test(value)

function decodedAgain(value: string): string {
  let text = value
  for (let times = 0; times < 2 && isEncodedAgain(text); times += 1) {
    const next = decoded(text)
    if (next === text) break
    text = next
  }
  return text
}

function repairedPairs(search: string): [string, string][] {
  const pairs: [string, string][] = []
  for (const [rawName, rawValue] of new URLSearchParams(search)) {
    // Mail programs write & as &amp;
    const name = rawName.replace(INVISIBLE, '').replace(/^(?:amp;)+/, '')
    if (TRACKING.test(name)) continue
    const whole = decodedAgain(name)
    // The whole query was encoded and therefore parsed as one name.
    if (rawValue === '' && whole.includes('=')) pairs.push(...repairedPairs(whole))
    else pairs.push([whole, decodedAgain(rawValue)])
  }
  return pairs
}

/** Returns the repaired address, or the same object if undamaged. */
export function repairedLink<P extends Parts>(address: P): Parts {
  const pathname = repairedPath(address.pathname)
  const before = [...new URLSearchParams(address.search)]
  const after = repairedPairs(address.search)
  const isSame =
    before.length === after.length &&
    before.every(([name, value], at) => after[at]![0] === name && after[at]![1] === value)
  if (isSame && pathname === address.pathname) return address
  const search = isSame ? address.search : after.length === 0 ? '' : `?${new URLSearchParams(after)}`
  return { pathname, search, hash: address.hash }
}

/** Percent-encodes trailing punctuation, which chats would cut off as the end of a sentence. */
export function sentLink(url: string): string {
  return url.replace(/(?<![.)!'*])[.)!'*]+$/, (signs) =>
    [...signs].map((sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}
