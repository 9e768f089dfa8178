import { Eye, EyeOff } from 'lucide-react'

import { IconButton } from '#src/ui/icon-button.tsx'
import { setProjectsHidden } from './set-projects-hidden.ts'

type HideButtonProps = {
  projectId: string
  name: string
  isHidden: boolean
  className?: string
  iconClassName?: string
}

export function HideProjectButton({ projectId, name, isHidden, className = '', iconClassName = '' }: HideButtonProps) {
  return (
    <IconButton
      icon={isHidden ? Eye : EyeOff}
      label={`${isHidden ? 'เลิกซ่อน' : 'ซ่อน'} ${name}`}
      title={isHidden ? 'เลิกซ่อน' : 'ซ่อนโครงการนี้'}
      size="sm"
      onClick={() => void setProjectsHidden([projectId], !isHidden)}
      className={className}
      iconClassName={iconClassName}
    />
  )
}
