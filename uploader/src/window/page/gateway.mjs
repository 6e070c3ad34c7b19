// The part of the window about devices that only speak DICOM: who may send, what came, what waits, who was refused.

const isolated = (text) => `\u2068${text}\u2069`

/** As the settings file has it; what is usual stays unsaid. */
function toSettings({ aeTitle, port, host, tls, partners = [], reserveGigabytes }) {
  const more = {
    ...(host && { host }),
    ...(tls && { tls }),
    ...(reserveGigabytes !== undefined && { reserveGigabytes }),
  }
  return { aeTitle, port, ...more, partners }
}
const listPartners = (current) =>
  (current?.settings?.partners ?? []).map(({ aeTitle, address, port, fingerprint }) => ({
    aeTitle,
    ...(address && { address }),
    ...(port && { port }),
    ...(fingerprint && { fingerprint }),
  }))

/** What draws one partner, and one who was refused; `keep` is given the partners from now on. */
function createRows({ say, create, named, numbers, language }, listAll, keep) {
  const when = (at) => new Date(at).toLocaleString(language === 'ar' ? 'ar-u-ca-gregory-nu-latn' : language)
  const toButton = (text, label, onClick) => {
    const button = create('button', text, { type: 'button', ariaLabel: label })
    button.addEventListener('click', onClick)
    return button
  }

  function drawPartner({ aeTitle, address, port, received, waiting, lastSeen }) {
    const place = address ? `${address}${port ? `:${port}` : ''}` : say('anyAddress')
    const facts = [
      say('deviceCounts', { received: numbers.format(received), waiting: numbers.format(waiting) }),
      lastSeen ? say('lastSeen', { when: isolated(when(lastSeen)) }) : say('neverSeen'),
    ].join(' · ')
    const remove = toButton(say('removeDevice'), say('removeDeviceNamed', { name: aeTitle }), () =>
      keep(listAll().filter((each) => each.aeTitle !== aeTitle)),
    )
    const about = create('span', [create('strong', named(aeTitle)), ' ', named(place), create('small', facts)], {
      className: 'device',
    })
    return create('li', [about, remove])
  }

  function drawCaller({ aeTitle, calledTitle, address, reason, times, at }) {
    const why = {
      Unknown: () => say('callerUnknown'),
      WrongAddress: () => say('callerElsewhere'),
      WrongCertificate: () => say('callerUnsealed'),
      WrongTitle: () => say('callerMeans', { title: isolated(calledTitle) }),
    }[reason]()
    const facts = `${why} ${say('callerTimes', { count: numbers.format(times), when: isolated(when(at)) })}`
    const about = create('span', [create('strong', named(aeTitle)), ' ', named(address), create('small', facts)], {
      className: 'device',
    })
    // Neither is mended by letting it in: the one calls another, the other is perhaps not who it says.
    if (reason === 'WrongTitle' || reason === 'WrongCertificate') return create('li', about)
    const others = listAll().filter((each) => each.aeTitle !== aeTitle)
    return create('li', [
      about,
      toButton(say('letIn'), say('letInNamed', { name: aeTitle, address }), () =>
        keep([...others, { aeTitle, address }]),
      ),
    ])
  }

  return { drawPartner, drawCaller }
}

/** Returns what draws it; the helpers are those of the page. */
export function createDevices(helpers) {
  const { byId, say, draw, setText, act, numbers } = helpers
  let current
  let isFilled = false
  const keep = (changes) => act('gateway', { gateway: toSettings({ ...current?.settings, ...changes }) })
  const listAll = () => listPartners(current)
  const { drawPartner, drawCaller } = createRows(helpers, listAll, (partners) => keep({ partners }))

  function describe({ settings, isListening, problem }) {
    if (!settings) return say('devicesOff')
    if (problem || !isListening) return say('stopped')
    return say('listening', { title: isolated(settings.aeTitle), port: isolated(settings.port) })
  }

  byId('devices-form').addEventListener('submit', async (event) => {
    event.preventDefault()
    const [aeTitle, port] = [byId('ae-title').value, Number(byId('dicom-port').value)]
    const isOn = byId('is-gateway').checked
    const tlsPort = Number(byId('tls-port').value)
    const tls = tlsPort > 0 ? { ...current?.settings?.tls, port: tlsPort } : undefined
    const isDone = isOn ? await keep({ aeTitle, port, tls }) : await act('gateway', { gateway: null })
    setText('devices-saved', isDone ? say('saved') : '')
  })
  byId('device-form').addEventListener('submit', async (event) => {
    event.preventDefault()
    const fields = ['device-title', 'device-address', 'device-port'].map(byId)
    const [aeTitle, address, port] = fields.map(({ value }) => value.trim())
    const partner = { aeTitle, ...(address && { address }), ...(port && { port: Number(port) }) }
    if (!(await keep({ partners: [...listAll(), partner] }))) return
    for (const field of fields) field.value = ''
    byId('device-title').focus()
  })

  return (next) => {
    current = next
    if (!next) return
    const { settings, problem, partners, callers, waiting, commitments, isFull, certificate } = next
    if (!isFilled && settings) {
      byId('is-gateway').checked = true
      byId('ae-title').value = settings.aeTitle
      byId('dicom-port').value = settings.port
      byId('tls-port').value = settings.tls?.port ?? ''
    }
    isFilled = true
    setText('devices-state', describe(next))
    byId('devices-dot').dataset.state = settings ? (problem || isFull ? 'stopped' : 'idle') : ''
    setText('devices-problem', [problem, isFull && say('diskFull')].filter(Boolean).join(' '))
    const facts = say('devicesWait', { waiting: numbers.format(waiting), commitments: numbers.format(commitments) })
    setText('devices-waiting', settings || waiting > 0 ? facts : '')
    const shown =
      certificate && Object.fromEntries(Object.entries(certificate).map(([key, text]) => [key, isolated(text)]))
    setText('devices-sealed', shown && settings?.tls ? say('sealed', { ...shown, port: settings.tls.port }) : '')
    byId('devices-more').hidden = !settings
    draw('partners', partners, () => partners.map(drawPartner))
    byId('no-partners').hidden = partners.length > 0
    byId('callers-title').hidden = callers.length === 0
    draw('callers', [callers, settings?.partners], () => callers.map(drawCaller))
  }
}
