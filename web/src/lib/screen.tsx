import { lazy, useState, type ComponentType } from 'react';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A screen in its own chunk; once loaded, it renders without suspending. */
export function screen<Props extends object>(load: Load<Props>) {
  let loaded: ComponentType<Props> | undefined;
  const get = async () => {
    const file = await load();
    loaded = file.default;
    return file;
  };
  const Waiting = lazy(get);
  function Screen(props: Props) {
    // Stays the same while mounted.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Waiting);
    return <Shown {...props} />;
  }
  return Object.assign(Screen, { load: get });
}
