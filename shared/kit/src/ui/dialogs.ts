import { createElement, useEffect, useEffectEvent, useState, type ComponentType } from 'react'
import type { ModalProps } from 'antd/es/modal'
import { notify } from './notify.ts'

let loaded: ComponentType<ModalProps> | undefined
let loading: Promise<void> | undefined
const retryMs = 2000
/**
 * A script that takes longer than its limit, on a slow line or behind a page that was busy, is mostly there a moment
 * later.
 */
const soonMs = 500
const mostTries = 3

/**
 * Loads the code of dialogs, which no page needs to be drawn: a little after the page, or with the first dialog. Throws
 * when it cannot be had; the next call asks again.
 */
export function loadDialogs(): Promise<void> {
  loading ??= import('./AntDialog.tsx').then(
    ({ AntDialog }) => {
      loaded = AntDialog
    },
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

/** The dialog of the library, once `useDialogs` says that it is there. */
export const Dialog: ComponentType<ModalProps> = (props) => (loaded ? createElement(loaded, props) : null)

/**
 * Whether the code of dialogs is there. When it cannot be had, that is said and `onFailure` closes what was to open;
 * what cannot be closed is tried again.
 */
export function useDialogs(onFailure: (() => void) | undefined): boolean {
  const [isThere, setThere] = useState(loaded !== undefined)
  const giveUp = useEffectEvent((): boolean => {
    if (!onFailure) return false
    notify.error('This could not be opened. Check your connection and try again.')
    onFailure()
    return true
  })
  useEffect(() => {
    if (isThere) return
    let isGone = false
    let tries = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      if (!isGone) setThere(true)
    }
    const fail = () => {
      if (isGone) return
      tries += 1
      if (tries < mostTries) timer = setTimeout(load, soonMs)
      else if (!giveUp()) timer = setTimeout(load, retryMs)
    }
    const load = () => void loadDialogs().then(show, fail)
    load()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [isThere])
  return isThere
}
