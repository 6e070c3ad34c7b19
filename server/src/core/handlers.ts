import type { Answer, Endpoint, Parsed } from '@dmp/contract'
import type { Context, PublicContext } from './context.ts'

export type ContextOf<E> =
  E extends Endpoint<infer D> ? (D['needs'] extends 'nothing' ? PublicContext : Context) : never

/**
 * Handles one call. The input is parsed and the caller permitted before it runs, so it says only what is particular.
 */
export type Handler<E> = (input: Parsed<E>, context: ContextOf<E>) => Promise<Answer<E>>

/** A handler for each call of a contract module: a module without all its handlers does not compile. */
export type Handlers<M> = { readonly [K in keyof M as M[K] extends Endpoint ? K : never]: Handler<M[K]> }
