import { ChevronDown, ChevronUp } from 'lucide-react'
import { IconButton } from '#src/ui/icon-button.tsx'

export type PreviousNextButtonsProps = {
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

export function PreviousNextButtons({ onPrevious, onNext }: PreviousNextButtonsProps) {
  return (
    <>
      <IconButton icon={ChevronUp} label="โครงการก่อนหน้า (K)" size="sm" disabled={!onPrevious} onClick={onPrevious} />
      <IconButton icon={ChevronDown} label="โครงการถัดไป (J)" size="sm" disabled={!onNext} onClick={onNext} />
    </>
  )
}
