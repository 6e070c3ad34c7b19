import type { Endpoint, Input } from '@dmp/contract/endpoint'
import { call, CallError } from '@dmp/kit'
import { useEffect } from 'react'
import { EmailField } from './TextField.tsx'
import type { FieldProps } from './Field.tsx'
import { useForm } from './formContext.ts'

const checkDelayMs = 400

export interface UniqueEmailFieldProps extends FieldProps {
  /** Takes `{email}` and returns `{available, message}`. */
  readonly endpoint: Endpoint
  readonly autoComplete?: string
}

/**
 * An email address that the server checks for uniqueness once it is well formed and typing pauses (5.04); the error
 * is the server's text.
 */
export function UniqueEmailField({ endpoint, name, ...rest }: UniqueEmailFieldProps) {
  const { valueOf, isGood, report } = useForm()
  const email = String(valueOf(name) ?? '').trim()
  const isAskable = email !== '' && isGood(name)
  // Each well-formed address is checked; an older answer must not overtake a newer one.
  useEffect(() => {
    if (!isAskable) {
      report(name, undefined)
      return
    }
    const stop = new AbortController()
    report(name, 'pending')
    const timer = setTimeout(
      () =>
        void checkEmail(endpoint, email, stop.signal).then((verdict) => !stop.signal.aborted && report(name, verdict)),
      checkDelayMs,
    )
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [endpoint, name, email, isAskable, report])
  return <EmailField name={name} {...rest} />
}

async function checkEmail(endpoint: Endpoint, email: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { available, message } = (await call(endpoint, { email } as Input<Endpoint>, { signal })) as unknown as {
      available: boolean
      message: string
    }
    return available ? undefined : message
  } catch (error) {
    // A rate limit is shown; any other failure blocks nothing, because the server checks again on save.
    return error instanceof CallError && error.status === 429 ? error.message : undefined
  }
}
