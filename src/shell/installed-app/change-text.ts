import type { ProjectDetail } from '#contract/report/project-detail.ts'
import { getActionTargetProjectIds } from '#contract/report/project-targets.ts'
import type { ReportPageResponse, ReportRow } from '#contract/report/report.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import type { PursuitList } from '#contract/team/pursuit.ts'
import type { PursuitAction } from '#contract/team/pursuit-action.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import type { PendingMutation } from '#src/api/optimistic-changes.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'

type ChangeSummary = { readonly action: string; readonly projects: readonly string[] }

const PURSUIT_WORDS: Readonly<Partial<Record<PursuitAction['action'], string>>> = {
  set_stage: 'เปลี่ยนขั้น',
  set_owner: 'เปลี่ยนผู้ดูแล',
  decide: 'ตัดสินใจ',
  set_price: 'ใส่ราคา',
}

function summarizeChange({ meta, state: { variables } }: PendingMutation): ChangeSummary {
  const { name } = meta!.change
  if (name === 'queue') {
    const { id, decided } = variables as { readonly id: string; readonly decided: boolean }
    return { action: decided ? 'ไล่ดูแล้ว' : 'กลับไปไล่ดูใหม่', projects: [id] }
  }
  if (name === 'pursuit') {
    const { id, actions } = variables as { readonly id: string; readonly actions: readonly PursuitAction[] }
    return { action: PURSUIT_WORDS[actions[0]!.action] ?? 'แก้งานของทีม', projects: [id] }
  }
  const { bookmark_action: star, hide_action: hide, label_action: label, ...patch } = variables as UserPatch
  if (star) return { action: star.action === 'add' ? 'ติดดาว' : 'เอาดาวออก', projects: getActionTargetProjectIds(star) }
  if (hide) return { action: hide.action === 'add' ? 'ซ่อน' : 'เลิกซ่อน', projects: getActionTargetProjectIds(hide) }
  if (label?.action === 'assign_label') return { action: 'ติดป้าย', projects: getActionTargetProjectIds(label) }
  if (label?.action === 'unassign_label') return { action: 'เอาป้ายออก', projects: getActionTargetProjectIds(label) }
  if (label) return { action: 'แก้ป้ายกำกับ', projects: [] }
  const { project_label_assignments: assignments } = patch
  if (assignments) return { action: 'แก้ป้ายกำกับ', projects: Object.keys(assignments) }
  return { action: 'ทำเครื่องหมายการแจ้งเตือน', projects: [] }
}

export function describeQueuedChange(change: PendingMutation): string {
  const { action, projects } = summarizeChange(change)
  if (projects.length === 0) return action
  if (projects.length > 1) return `${action} · ${formatCountWithSeparators(projects.length)} โครงการ`
  return `${action} · ${findProjectName(projects[0]!) ?? projects[0]}`
}

function findProjectName(id: string): string | undefined {
  const rows = queryClient
    .getQueriesData<ReportPageResponse>({ queryKey: ['reports', 'page'] })
    .flatMap(([, page]) => page?.results ?? [])
  const queued = queryClient
    .getQueriesData<Readonly<Record<string, ReportRow>>>({ queryKey: ['reports', 'queue-rows'] })
    .flatMap(([, rowsById]) => rowsById?.[id] ?? [])
  const cards = queryClient
    .getQueriesData<PursuitList>({ queryKey: pursuitKeys.lists })
    .flatMap(([, list]) => list?.results ?? [])
  const pages = queryClient
    .getQueriesData<ProjectDetail>({ queryKey: ['projects'] })
    .flatMap(([, page]) => page?.row ?? [])
  return [...rows, ...queued, ...cards, ...pages].find((project) => project.project_id === id)?.name
}
