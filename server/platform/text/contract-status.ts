/** e-GP's text for a contract that was terminated early. */
export const CONTRACT_TERMINATED = 'ยกเลิกสัญญา'
export const CLOSED_STATUSES = ['แล้วเสร็จตามสัญญา', 'สิ้นสุดสัญญา', 'ส่งงานครบถ้วน', CONTRACT_TERMINATED] as const
const CLOSED = new Set<string>(CLOSED_STATUSES)

export const isClosedStatus = (text: string): boolean => CLOSED.has(text.replace(/\s+/g, ' ').trim())
