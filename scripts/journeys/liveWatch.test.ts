import { aDeployment, aPage, aSnapshot, listen } from './deploymentInTests.ts'
import { startLiveWatch } from './liveWatch.ts'

const account = { isReady: false, email: null, isNamed: false, because: 'nobody named it' } as const

describe('a deployment that is watched while journeys run', () => {
  it('tells of a rollback in the middle, and of a time in which it did not answer', async () => {
    let snapshot = aSnapshot('1.4.2', 'a'.repeat(16))
    let isAway = false
    const product = await listen((request, response) => {
      if (isAway) return response.destroy()
      return response.end(
        request.url === '/login'
          ? aPage({}, snapshot)
          : JSON.stringify({ data: { snapshot: snapshot.remotes[0]?.releaseId } }),
      )
    })
    const accounts = { ...aDeployment().accounts, super: account }
    const watch = await startLiveWatch(aDeployment({ address: product.address, accounts }), 20)
    const looks = () => new Promise((resolve) => setTimeout(resolve, 150))
    await looks()
    snapshot = aSnapshot('1.4.1', 'c'.repeat(16))
    await looks()
    isAway = true
    await looks()
    isAway = false
    const changes = await watch.stop()
    await product.close()
    expect(changes.map((line) => line.replace(/^\S+ UTC /, ''))).toEqual([
      `remote-scan 1.4.2 (${'a'.repeat(16)}) → 1.4.1 (${'c'.repeat(16)})`,
      'the deployment stopped answering',
      'the deployment answers again',
    ])
  })

  it('has nothing to tell where nothing changed', async () => {
    const product = await listen((_request, response) => response.end(JSON.stringify({ data: { snapshot: '1' } })))
    const watch = await startLiveWatch(aDeployment({ address: product.address }), 20)
    expect(await watch.stop()).toEqual([])
    await product.close()
  })
})
