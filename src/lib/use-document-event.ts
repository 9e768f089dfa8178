import { useEffect, useEffectEvent } from 'react'

/** Listens to events of the document while the component is mounted, with the listener of the latest render. */
export function useDocumentEvent<Type extends keyof DocumentEventMap>(
  type: Type,
  listener: (event: DocumentEventMap[Type]) => void,
  capture = false,
): void {
  const onEvent = useEffectEvent(listener)
  useEffect(() => {
    document.addEventListener(type, onEvent, capture)
    return () => document.removeEventListener(type, onEvent, capture)
  }, [type, capture])
}
