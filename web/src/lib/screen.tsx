import { lazy, useState, type ComponentType } from 'react';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A screen of its own file; once that is loaded it is drawn without a pause. */
export function screen<Props extends object>(load: Load<Props>) {
  let loaded: ComponentType<Props> | undefined;
  const get = async () => {
    const file = await load();
    loaded = file.default;
    return file;
  };
  const Waiting = lazy(get);
  function Screen(props: Props) {
    // The same for as long as it is shown.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Waiting);
    return <Shown {...props} />;
  }
  return Object.assign(Screen, { load: get });
}
