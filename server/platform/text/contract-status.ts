/** A contract that was ended early, in the words of e-GP. */
export const CONTRACT_TERMINATED = 'ยกเลิกสัญญา'
/** Statuses of which nothing is under way any more. */
export const CLOSED_STATUSES = ['แล้วเสร็จตามสัญญา', 'สิ้นสุดสัญญา', 'ส่งงานครบถ้วน', CONTRACT_TERMINATED] as const
const CLOSED = new Set<string>(CLOSED_STATUSES)

/** Whether a status of e-GP, of a contract or a whole project, says that nothing is under way any more. */
export const isClosedStatus = (text: string): boolean => CLOSED.has(text.replace(/\s+/g, ' ').trim())
