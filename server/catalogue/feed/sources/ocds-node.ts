import type { FeedDateRole, ParsedFeedDate } from '#server/catalogue/feed/feed-date.ts'
import {
  FeedFieldError,
  type LenientFieldReader,
  parseMoneyCell,
  parseTenderPartyNameCell,
  parseTextCell,
} from '#server/catalogue/feed/feed-field.ts'
import { isJsonObject } from '#server/catalogue/feed/file/json-file.ts'

/** A JSON object of a release. In OCDS an absent property is unknown and null deletes the stored value. */
export type OcdsNode = Readonly<Record<string, unknown>>

export const getOcdsNode = (node: OcdsNode, key: string): OcdsNode => {
  const value = node[key]
  return isJsonObject(value) ? value : {}
}

/**
 * Returns the objects of a list. Some publishers write a single-element list as a bare object, a list as an object with
 * the ids as keys, or parties as bare names.
 */
export function getOcdsNodeList(node: OcdsNode, key: string): readonly OcdsNode[] {
  const value = node[key]
  if (isJsonObject(value)) {
    const parts = Object.entries(value)
    const isKeyed = parts.length > 0 && value.id === undefined && parts.every(([, part]) => isJsonObject(part))
    return isKeyed ? parts.map(([id, part]) => ({ id, ...(part as OcdsNode) })) : [value]
  }
  if (!Array.isArray(value)) return []
  return value.flatMap((part) => (isJsonObject(part) ? [part] : typeof part === 'string' ? [{ name: part }] : []))
}

/** Returns a code in lower case and British spelling, as in the standard: "Canceled" is `cancelled`. */
export const getOcdsCode = (node: OcdsNode, key: string): string =>
  String(node[key])
    .toLowerCase()
    .replace(/canceled$/, 'cancelled')

export const getOcdsPartyName = (party: OcdsNode): string | undefined =>
  parseTenderPartyNameCell(getOcdsText(party, 'name'))

export function getOcdsText(node: OcdsNode, key: string): string | null | undefined {
  const value = node[key]
  if (value === null) return null
  return typeof value === 'string' || typeof value === 'number' ? parseTextCell(value) : undefined
}

/** Returns an id as text; depending on the publisher, ids are strings or numbers. */
export function getOcdsId(node: OcdsNode, key: string): string | undefined {
  return getOcdsText(node, key) ?? undefined
}

export function getOcdsDate(
  node: OcdsNode,
  key: string,
  label: string,
  range: FeedDateRole,
  fields: LenientFieldReader,
): ParsedFeedDate | null | undefined {
  const text = getOcdsText(node, key)
  return typeof text === 'string' ? fields.date(text, label, range) : text
}

/**
 * Returns satang of an OCDS value `{ amount, currency }` or of a bare number. An unreadable amount is a doubt.
 * @throws FeedFieldError for a currency other than baht, because there are no exchange rates to compare amounts.
 */
export function getOcdsValue(
  node: OcdsNode,
  key: string,
  label: string,
  fields: LenientFieldReader,
): number | null | undefined {
  const value = node[key]
  if (value === null) return null
  const money = (amount: string | number) =>
    fields.read('amount_unreadable', label, amount, () => parseMoneyCell(plainNumber(amount), label))
  if (typeof value === 'number' || typeof value === 'string') return money(value)
  if (!isJsonObject(value)) return undefined
  const currency = getOcdsText(value, 'currency')
  if (typeof currency === 'string' && !/^(?:thb|baht|บาท|฿)$/i.test(currency))
    throw new FeedFieldError(`${label}: สกุลเงิน ${currency} ไม่ใช่บาท (THB)`)
  const amount = value.amount
  if (amount === null) return null
  return typeof amount === 'number' || typeof amount === 'string' ? money(amount) : undefined
}

/** Like `getOcdsValue` for one of several awards, contracts or bids: another currency drops only this amount. */
export function getOcdsListItemValue(
  node: OcdsNode,
  label: string,
  fields: LenientFieldReader,
): number | null | undefined {
  const { amount, currency } = getOcdsNode(node, 'value')
  return fields.read('amount_currency', label, `${String(amount)} ${String(currency)}`, () =>
    getOcdsValue(node, 'value', label, fields),
  )
}

/** Writes a number without an exponent, which JavaScript uses from 10²¹ and for very small numbers. */
const plainNumber = (amount: string | number) =>
  typeof amount === 'number' && Number.isFinite(amount) && Math.abs(amount) < 1e-6 ? 0 : amount
