import { toArabicDigits } from '#contract/thai/thai-letters.ts'

/**
 * Repairs URLs damaged by chat and email programs: trailing words, brackets or quotes, invisible characters, tracking
 * parameters, double encoding. Whatever cannot be repaired stays in the URL, and the screen reports it.
 */
type UrlParts = { readonly pathname: string; readonly search: string; readonly hash: string }

const INVISIBLE_CHARS = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const TRACKING_PARAM =
  /^(?:utm_\w+|mtm_\w+|fbclid|gclid|gbraid|wbraid|dclid|msclkid|yclid|ttclid|twclid|igshid|igsh|mc_[ce]id|_g[al]|_hs\w+|li_fat_id|srsltid|_branch_match_id|mibextid|openExternalBrowser|openInAppBrowser|liff\.\w+)$/i
const SHORT_LINK_CODE = /(?<![0-9a-z])[0-9a-hjkmnp-tv-z]{10}(?![0-9a-z])/i
/** Trailing garbage: chat programs end a link only at a space, so punctuation or Thai text may follow it. */
const SENTENCE_END = /(?<![\s"'“”‘’«»()[\]{}<>.,;:!?ๆฯ\u0e01-\u0e5b])[\s"'“”‘’«»()[\]{}<>.,;:!?ๆฯ\u0e01-\u0e5b]+$/u

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the only 11-digit number in a damaged URL segment; undefined if there is none or several. */
function findProjectId(segment: string): string | undefined {
  const ids = new Set(toArabicDigits(segment).match(/(?<!\d)\d{11}(?!\d)/g))
  return ids.size === 1 ? [...ids][0] : undefined
}

function repairPath(pathname: string): string {
  const plain = tryDecode(pathname).replace(INVISIBLE_CHARS, '')
  const [, project] = /^\/report\/([^/]+)\/?$/.exec(plain) ?? []
  if (project !== undefined) {
    const id = findProjectId(project)
    return id === undefined ? pathname : `/report/${id}`
  }
  const [, link] = /^\/s\/(.+)$/.exec(plain) ?? []
  if (link !== undefined) {
    const code = SHORT_LINK_CODE.exec(link.trim())?.[0].toLowerCase()
    return code === undefined ? pathname : `/s/${code}`
  }
  // Reduces a top-level screen followed by text or invisible characters to the screen, e.g. `/reportครับ` to `/report`.
  const trimmed = plain.replace(SENTENCE_END, '')
  return /^\/[a-z-]+$/.test(trimmed) && /^\/[a-z-]+[^a-z/-]*$/.test(plain) ? trimmed : pathname
}

/** True if every `%` starts an escape; false for `ลด 50%`. */
const isDoubleEncoded = (value: string) => /%[0-9a-f]{2}/i.test(value) && !/%(?![0-9a-f]{2})/i.test(value)

function decodeRepeatedly(value: string): string {
  let text = value
  for (let round = 0; round < 2 && isDoubleEncoded(text); round += 1) {
    const next = tryDecode(text)
    if (next === text) break
    text = next
  }
  return text
}

function repairPairs(search: string): [string, string][] {
  const pairs: [string, string][] = []
  for (const [rawName, rawValue] of new URLSearchParams(search)) {
    const name = rawName.replace(INVISIBLE_CHARS, '').replace(/^(?:amp;)+/, '')
    if (TRACKING_PARAM.test(name)) continue
    const decodedName = decodeRepeatedly(name)
    // The whole query was percent-encoded, so it was parsed as one name; parse it again.
    if (rawValue === '' && decodedName.includes('=')) pairs.push(...repairPairs(decodedName))
    else pairs.push([decodedName, decodeRepeatedly(rawValue)])
  }
  return pairs
}

/** Returns the repaired URL, or the same object if it is undamaged. */
export function repairUrl<P extends UrlParts>(address: P): UrlParts {
  const pathname = repairPath(address.pathname)
  const before = [...new URLSearchParams(address.search)]
  const after = repairPairs(address.search)
  const isSame =
    before.length === after.length &&
    before.every(([name, value], at) => after[at]![0] === name && after[at]![1] === value)
  if (isSame && pathname === address.pathname) return address
  const search = isSame ? address.search : after.length === 0 ? '' : `?${new URLSearchParams(after)}`
  return { pathname, search, hash: address.hash }
}

/** Percent-encodes trailing punctuation, which chat programs would cut off as the end of a sentence. */
export function protectTrailingPunctuation(url: string): string {
  return url.replace(/(?<![.)!'*])[.)!'*]+$/, (signs) =>
    [...signs].map((sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}
