import { getChoiceLabel, PROJECT_STATUSES } from '#contract/catalogue/project.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'

const TONES: Readonly<Record<string, BadgeTone>> = {
  in_progress: 'accent',
  invitation_cancelled: 'urgent',
  project_cancelled: 'urgent',
}

export function ProjectStatusBadge({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? 'neutral'}>{getChoiceLabel(PROJECT_STATUSES, status)}</Badge>
}
