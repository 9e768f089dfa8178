import { rawForQuarantine } from '../clean-text.ts'
import { type Cell, FieldError } from '../feed-field.ts'
import { FeedFormatError, type FeedItem, type FeedSource } from '../feed-source.ts'
import { isObject, readJsonFile } from '../json-document.ts'
import type { CgdCells, CgdContractCells } from './cgd-row.ts'
import { readCgdProject } from './cgd-row.ts'

/** An answer of the CGD API (`/govspending/cgdcontract`) kept as a file. One element of `result` is one project with its contracts. */
export function cgdJsonSource(path: string): FeedSource {
  return {
    name: 'cgd-json',
    async *records(resumeAfterLine) {
      const projects = projectsOfAnswer(await readJsonFile(path))
      for (const [index, project] of projects.entries())
        if (index + 1 > resumeAfterLine) yield readItem(project, index + 1)
    },
  }
}

/**
 * The list of projects in an answer.
 * @throws FeedFormatError with the service's own message when the answer is an error, or when there is no list.
 */
export function projectsOfAnswer(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer
  if (!isObject(answer)) throw new FeedFormatError('JSON ไม่ใช่คำตอบของ CGD API: ไม่ใช่ออบเจ็กต์')
  const code = Number(answer.code ?? 200)
  if (answer.status === false || code >= 400) {
    const message =
      typeof answer.msg === 'string' ? answer.msg : typeof answer.message === 'string' ? answer.message : ''
    throw new FeedFormatError(`CGD API ตอบว่าผิดพลาด (code ${String(answer.code)}) ${message}`.trim())
  }
  if (!Array.isArray(answer.result)) throw new FeedFormatError('JSON ไม่ใช่คำตอบของ CGD API: ไม่มีรายการ result')
  return answer.result
}

function readItem(project: unknown, line: number): FeedItem {
  const reject = (reason: string): FeedItem => ({
    line,
    rejected: { reason, raw: rawForQuarantine(JSON.stringify(project)) },
  })
  if (!isObject(project)) return reject('รายการไม่ใช่ออบเจ็กต์')
  const contracts = project.contract ?? []
  if (!Array.isArray(contracts) || !contracts.every(isObject)) return reject('contract ไม่ใช่รายการของสัญญา')
  const place = isObject(project.project_location) ? project.project_location : {}
  const cells: CgdCells = { ...scalars(project), lat: scalar(place.lat), lon: scalar(place.lon) }
  const contractCells = contracts.map((contract): CgdContractCells => {
    const fields = scalars(contract)
    return { ...fields, contract_price_agree: fields.price_agree, contract_status: fields.status }
  })
  try {
    return { line, ...readCgdProject(cells, contractCells) }
  } catch (error) {
    if (error instanceof FieldError) return reject(error.message)
    throw error
  }
}

const scalar = (value: unknown): Cell => (typeof value === 'string' || typeof value === 'number' ? value : undefined)

function scalars(value: Record<string, unknown>): Record<string, Cell> {
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, scalar(field)]))
}
