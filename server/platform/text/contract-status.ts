export const TERMINATED_CONTRACT_STATUS = 'ยกเลิกสัญญา'
export const CLOSED_CONTRACT_STATUSES = [
  'แล้วเสร็จตามสัญญา',
  'สิ้นสุดสัญญา',
  'ส่งงานครบถ้วน',
  TERMINATED_CONTRACT_STATUS,
] as const
const CLOSED = new Set<string>(CLOSED_CONTRACT_STATUSES)

export const isClosedContractStatus = (text: string): boolean => CLOSED.has(text.replace(/\s+/g, ' ').trim())
