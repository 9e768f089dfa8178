import { FieldError, readDate, readMoney, readText } from '../feed-field.ts'
import { isObject } from '../file/json-document.ts'

/** A JSON object of a release. In OCDS an absent property is unknown and null deletes what was known. */
export type Node = Readonly<Record<string, unknown>>

export const nodeAt = (node: Node, key: string): Node => {
  const value = node[key]
  return isObject(value) ? value : {}
}

export function listAt(node: Node, key: string): readonly Node[] {
  const value = node[key]
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function textAt(node: Node, key: string): string | null | undefined {
  const value = node[key]
  if (value === null) return null
  return typeof value === 'string' || typeof value === 'number' ? readText(value) : undefined
}

/** Bangkok day of a date-time. @throws FieldError when it is none. */
export function dateAt(node: Node, key: string, label: string): string | null | undefined {
  const text = textAt(node, key)
  return typeof text === 'string' ? readDate(text, label) : text
}

/**
 * Satang of an OCDS value `{ amount, currency }`, or of a bare number.
 * @throws FieldError for any currency but baht: amounts are compared with each other, and nothing here knows rates.
 */
export function valueAt(node: Node, key: string, label: string): number | null | undefined {
  const value = node[key]
  if (value === null) return null
  if (typeof value === 'number' || typeof value === 'string') return readMoney(value, label)
  if (!isObject(value)) return undefined
  const currency = textAt(value, 'currency')
  if (typeof currency === 'string' && currency.toUpperCase() !== 'THB')
    throw new FieldError(`${label}: สกุลเงิน ${currency} ไม่ใช่บาท (THB)`)
  const amount = value.amount
  if (amount === null) return null
  return typeof amount === 'number' || typeof amount === 'string' ? readMoney(amount, label) : undefined
}
