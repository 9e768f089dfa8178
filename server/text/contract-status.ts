const CLOSED = new Set(['แล้วเสร็จตามสัญญา', 'สิ้นสุดสัญญา', 'ส่งงานครบถ้วน', 'ยกเลิกสัญญา'])

/** Whether a status of e-GP, of a contract or a whole project, says that nothing is under way any more. */
export const isClosedStatus = (text: string): boolean => CLOSED.has(text.replace(/\s+/g, ' ').trim())
