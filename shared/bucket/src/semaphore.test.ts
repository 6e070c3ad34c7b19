import { Semaphore } from './semaphore.ts'

describe('a semaphore', () => {
  it('runs as many tasks at a time as it has permits, in the order in which they came', async () => {
    const semaphore = new Semaphore(2)
    const started: number[] = []
    let running = 0
    let most = 0
    const task = (index: number) => async () => {
      started.push(index)
      most = Math.max(most, (running += 1))
      await new Promise((resolve) => setTimeout(resolve, 5 - index))
      running -= 1
      return index
    }
    const results = await Promise.all([0, 1, 2, 3, 4].map((index) => semaphore.run(task(index))))
    expect([results, started, most]).toEqual([[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], 2])
  })

  it('gives the permit of a failed task to the next', async () => {
    const semaphore = new Semaphore(1)
    const failing = semaphore.run(() => Promise.reject(new Error('broken')))
    const next = semaphore.run(async () => 'done')
    await expect(failing).rejects.toThrow('broken')
    await expect(next).resolves.toBe('done')
    await expect(semaphore.run(async () => 'later')).resolves.toBe('later')
  })
})
