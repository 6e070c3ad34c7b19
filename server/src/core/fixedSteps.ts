/** Wide enough for what one sign-in computes on a slow machine, too short for a person to notice. */
export const stepMs = 50

/**
 * Holds an answer, or a refusal, until a whole number of steps after the question: the work takes a little
 * longer for a known address than for an unknown one, and the time of the answer must not tell which it was (P07).
 *
 * @example
 * add: (draft, context) => answerAtFixedSteps(() => addRegistration(draft, context))
 */
export async function answerAtFixedSteps<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await work()
  } finally {
    await nextStep(began)
  }
}

/** Holds refusals only; an answer comes at once, because it says itself that the address is known. */
export async function refuseAtFixedSteps<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await work()
  } catch (error) {
    await nextStep(began)
    throw error
  }
}

async function nextStep(began: number): Promise<void> {
  const due = began + Math.ceil((performance.now() - began) / stepMs) * stepMs
  // A timer wakes whole milliseconds after it was set, so the fraction that the work took would still show (0.3 ms did,
  // over 200 registrations): the last two are waited for turn by turn.
  for (let msLeft = due - performance.now(); msLeft > 0; msLeft = due - performance.now()) {
    await new Promise<void>((over) => void (msLeft > 2 ? setTimeout(over, msLeft - 2) : setImmediate(over)))
  }
}
