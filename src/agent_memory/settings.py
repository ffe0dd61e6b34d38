"""Every setting from the environment, described where it is declared; read once, in main."""

from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """What the environment decides; a request never changes it."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True)

    decay_enabled: Annotated[
        bool | None,
        Field(
            validation_alias="DECAY_ENABLED",
            description="Whether memories fade when a request does not say; unset: on at Apify, off elsewhere.",
        ),
    ] = None
