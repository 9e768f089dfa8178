import type { DateRole, ReadDate } from '#server/catalogue/feed/feed-date.ts'
import { type DoubtfulFields, FieldError, readMoney, readText } from '#server/catalogue/feed/feed-field.ts'
import { isObject } from '#server/catalogue/feed/file/json-document.ts'

/** A JSON object of a release. In OCDS an absent property is unknown and null deletes what was known. */
export type Node = Readonly<Record<string, unknown>>

export const nodeAt = (node: Node, key: string): Node => {
  const value = node[key]
  return isObject(value) ? value : {}
}

/** The objects of a list; some publishers write a list of one as the object alone. */
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

/** An id, which publishers write as text here and as a number there. */
export function idAt(node: Node, key: string): string | undefined {
  return textAt(node, key) ?? undefined
}

/** Date of a release, with its time where one is stated; null deletes. */
export function dateAt(
  node: Node,
  key: string,
  label: string,
  range: DateRole,
  fields: DoubtfulFields,
): ReadDate | null | undefined {
  const text = textAt(node, key)
  return typeof text === 'string' ? fields.date(text, label, range) : text
}

/**
 * Satang of an OCDS value `{ amount, currency }`, or of a bare number. An unreadable amount is a doubt.
 * @throws FieldError for any currency but baht: amounts are compared with each other, and nothing here knows rates.
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

/** The same of one award, contract or bid of several: another currency costs this amount alone. */
export function partValueAt(node: Node, label: string, fields: DoubtfulFields): number | null | undefined {
  const { amount, currency } = nodeAt(node, 'value')
  return fields.read('amount_currency', label, `${String(amount)} ${String(currency)}`, () =>
    valueAt(node, 'value', label, fields),
  )
}

/** JavaScript writes numbers from 10²¹ on, and tiny ones, with an exponent. */
const plainNumber = (amount: string | number) =>
  typeof amount === 'number' && Number.isFinite(amount) && Math.abs(amount) < 1e-6 ? 0 : amount
