import type { DateRole, ParsedDate } from '#server/catalogue/feed/feed-date.ts'
import { type DoubtfulFields, FieldError, readMoney, readText } from '#server/catalogue/feed/feed-field.ts'
import { isObject } from '#server/catalogue/feed/file/json-document.ts'

/** A JSON object of a release. In OCDS an absent property is unknown and null deletes the stored value. */
export type Node = Readonly<Record<string, unknown>>

export const nodeAt = (node: Node, key: string): Node => {
  const value = node[key]
  return isObject(value) ? value : {}
}

/** Returns the objects of a list; some publishers write a single-element list as a bare object. */
export function listAt(node: Node, key: string): readonly Node[] {
  const value = node[key]
  if (isObject(value)) return [value]
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function textAt(node: Node, key: string): string | null | undefined {
  const value = node[key]
  if (value === null) return null
  return typeof value === 'string' || typeof value === 'number' ? readText(value) : undefined
}

/** Ids may be strings or numbers, depending on the publisher. */
export function idAt(node: Node, key: string): string | undefined {
  return textAt(node, key) ?? undefined
}

export function dateAt(
  node: Node,
  key: string,
  label: string,
  range: DateRole,
  fields: DoubtfulFields,
): ParsedDate | null | undefined {
  const text = textAt(node, key)
  return typeof text === 'string' ? fields.date(text, label, range) : text
}

/**
 * Returns satang of an OCDS value `{ amount, currency }` or of a bare number. An unreadable amount is a doubt.
 * @throws FieldError for a currency other than baht, because there are no exchange rates to compare amounts.
 */
export function valueAt(node: Node, key: string, label: string, fields: DoubtfulFields): number | null | undefined {
  const value = node[key]
  if (value === null) return null
  const money = (amount: string | number) =>
    fields.read('amount_unreadable', label, amount, () => readMoney(plainNumber(amount), label))
  if (typeof value === 'number' || typeof value === 'string') return money(value)
  if (!isObject(value)) return undefined
  const currency = textAt(value, 'currency')
  if (typeof currency === 'string' && currency.toUpperCase() !== 'THB')
    throw new FieldError(`${label}: สกุลเงิน ${currency} ไม่ใช่บาท (THB)`)
  const amount = value.amount
  if (amount === null) return null
  return typeof amount === 'number' || typeof amount === 'string' ? money(amount) : undefined
}

/** Like `valueAt` for one of several awards, contracts or bids: another currency drops only this amount. */
export function partValueAt(node: Node, label: string, fields: DoubtfulFields): number | null | undefined {
  const { amount, currency } = nodeAt(node, 'value')
  return fields.read('amount_currency', label, `${String(amount)} ${String(currency)}`, () =>
    valueAt(node, 'value', label, fields),
  )
}

/** JavaScript formats numbers from 10²¹ and very small ones with an exponent. */
const plainNumber = (amount: string | number) =>
  typeof amount === 'number' && Number.isFinite(amount) && Math.abs(amount) < 1e-6 ? 0 : amount
